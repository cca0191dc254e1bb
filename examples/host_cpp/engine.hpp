// A small engine over Vulkan: a device, memory, two frames in flight. It has never heard of cloth, but for what a device needs.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define VULKAN_HPP_NO_CONSTRUCTORS // members are named where structs are filled in
#include <vulkan/vulkan_raii.hpp>

#include "radial_fields.h"

constexpr uint32_t frames_in_flight = 2;
constexpr vk::Extent2D extent{960, 1200};
constexpr auto colour_format = vk::Format::eR8G8B8A8Srgb, depth_format = vk::Format::eD32Sfloat;

inline void check(RfResult result) {
    if (result != RF_RESULT_OK) throw std::runtime_error(rf_last_error());
}

struct Image {
    vk::raii::Image handle{nullptr};
    vk::raii::DeviceMemory memory{nullptr};
    vk::raii::ImageView view{nullptr};
};

struct Buffer {
    vk::raii::Buffer handle{nullptr};
    vk::raii::DeviceMemory memory{nullptr};
    void* mapped{};
};

class Engine {
    vk::raii::Context context;

public:
    const bool validates;
    uint32_t message_count = 0;
    vk::raii::Instance instance;
    vk::raii::DebugUtilsMessengerEXT messenger{nullptr};
    vk::raii::PhysicalDevice physical_device{nullptr};
    uint32_t queue_family = 0;
    vk::raii::Device device{nullptr};

    explicit Engine(bool validates) : validates(validates), instance(make_instance()) {
        if (validates) messenger = listen();
        pick_device();
        device = make_device();
        queue = device.getQueue(queue_family, 0);
        pool = {device, {.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer, .queueFamilyIndex = queue_family}};
        commands = vk::raii::CommandBuffers(device, {.commandPool = *pool, .commandBufferCount = frames_in_flight});
        while (fences.size() < frames_in_flight) fences.emplace_back(device, vk::FenceCreateInfo{.flags = vk::FenceCreateFlagBits::eSignaled});
    }
    Engine(const Engine&) = delete;

    // Records a frame and submits it, once the frame that used the same command buffer has finished.
    template <typename Record>
    void frame(Record record) {
        const uint32_t slot = frame_ix++ % frames_in_flight;
        auto& cmd = commands[slot];
        const auto waited = device.waitForFences(*fences[slot], true, UINT64_MAX);
        if (waited != vk::Result::eSuccess) throw std::runtime_error("a frame does not end");
        cmd.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
        record(cmd);
        cmd.end();
        device.resetFences(*fences[slot]);
        queue.submit(vk::SubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &*cmd}, *fences[slot]);
    }

    // A buffer the CPU can reach.
    Buffer buffer(vk::DeviceSize bytes, vk::BufferUsageFlags usage) {
        using M = vk::MemoryPropertyFlagBits;
        Buffer made{.handle = {device, vk::BufferCreateInfo{.size = bytes, .usage = usage}}};
        made.memory = allocate(made.handle.getMemoryRequirements(), M::eHostVisible | M::eHostCoherent);
        made.handle.bindMemory(*made.memory, 0);
        made.mapped = made.memory.mapMemory(0, bytes);
        return made;
    }

    Image image(vk::Format format, vk::ImageUsageFlags usage) {
        Image made;
        made.handle = {device, vk::ImageCreateInfo{.imageType = vk::ImageType::e2D,
                                                   .format = format,
                                                   .extent = {extent.width, extent.height, 1},
                                                   .mipLevels = 1,
                                                   .arrayLayers = 1,
                                                   .usage = usage}};
        made.memory = allocate(made.handle.getMemoryRequirements(), vk::MemoryPropertyFlagBits::eDeviceLocal);
        made.handle.bindMemory(*made.memory, 0);
        made.view = {device, vk::ImageViewCreateInfo{.image = *made.handle,
                                                     .viewType = vk::ImageViewType::e2D,
                                                     .format = format,
                                                     .subresourceRange = range(format)}};
        return made;
    }

    static vk::ImageSubresourceRange range(vk::Format format) {
        using A = vk::ImageAspectFlagBits;
        return {.aspectMask = format == depth_format ? A::eDepth : A::eColor, .levelCount = 1, .layerCount = 1};
    }

private:
    vk::raii::Queue queue{nullptr};
    vk::raii::CommandPool pool{nullptr};
    std::vector<vk::raii::CommandBuffer> commands;
    std::vector<vk::raii::Fence> fences;
    uint32_t frame_ix = 0;

    vk::raii::Instance make_instance() {
        const vk::ApplicationInfo application{.pApplicationName = "host_cpp", .apiVersion = VK_API_VERSION_1_3};
        const char *const layer = "VK_LAYER_KHRONOS_validation", *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        const auto checks = vk::ValidationFeatureEnableEXT::eSynchronizationValidation;
        const auto features = vk::ValidationFeaturesEXT{}.setEnabledValidationFeatures(checks);
        vk::InstanceCreateInfo info{.pApplicationInfo = &application};
        if (validates) info.setPNext(&features).setPEnabledLayerNames(layer).setPEnabledExtensionNames(extension);
        return {context, info};
    }

    vk::raii::DebugUtilsMessengerEXT listen() {
        using S = vk::DebugUtilsMessageSeverityFlagBitsEXT;
        using T = vk::DebugUtilsMessageTypeFlagBitsEXT;
        return {instance, vk::DebugUtilsMessengerCreateInfoEXT{.messageSeverity = S::eWarning | S::eError,
                                                               .messageType = T::eValidation | T::ePerformance,
                                                               .pfnUserCallback = hear,
                                                               .pUserData = this}};
    }

    static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                               const VkDebugUtilsMessengerCallbackDataEXT* data, void* engine) {
        std::fprintf(stderr, "validation: %s\n", data->pMessage);
        ++static_cast<Engine*>(engine)->message_count;
        return VK_FALSE;
    }

    void pick_device() {
        const auto needed = vk::QueueFlagBits::eGraphics | vk::QueueFlagBits::eCompute;
        for (auto& candidate : instance.enumeratePhysicalDevices()) {
            if (rf_check_support(vkGetInstanceProcAddr, *instance, *candidate, nullptr) != RF_RESULT_OK) continue;
            const auto families = candidate.getQueueFamilyProperties();
            for (queue_family = 0; queue_family < families.size(); ++queue_family) {
                if ((families[queue_family].queueFlags & needed) != needed) continue;
                physical_device = std::move(candidate);
                return;
            }
        }
        throw std::runtime_error("no device will do");
    }

    vk::raii::Device make_device() {
        // What the engine wants for itself would be set first; the library adds what it needs.
        vk::PhysicalDeviceVulkan13Features vulkan13;
        vk::PhysicalDeviceVulkan12Features vulkan12{.pNext = &vulkan13};
        vk::PhysicalDeviceFeatures2 core{.pNext = &vulkan12};
        check(rf_enable_features(&static_cast<VkPhysicalDeviceFeatures&>(core.features),
                                 &static_cast<VkPhysicalDeviceVulkan12Features&>(vulkan12),
                                 &static_cast<VkPhysicalDeviceVulkan13Features&>(vulkan13), nullptr));
        std::vector<const char*> extensions;
        for (uint32_t ix = 0; const char* name = rf_required_extension(ix); ++ix) extensions.push_back(name);
        const auto known = physical_device.enumerateDeviceExtensionProperties();
        for (uint32_t ix = 0; const char* name = rf_optional_extension(ix); ++ix)
            for (const auto& one : known)
                if (std::string_view(one.extensionName.data()) == name) extensions.push_back(name);
        const float priority = 1;
        const auto queues = vk::DeviceQueueCreateInfo{.queueFamilyIndex = queue_family}.setQueuePriorities(priority);
        const auto info = vk::DeviceCreateInfo{.pNext = &core}.setQueueCreateInfos(queues).setPEnabledExtensionNames(extensions);
        return {physical_device, info};
    }

    // The engine's allocator: one allocation an object.
    vk::raii::DeviceMemory allocate(const vk::MemoryRequirements& needs, vk::MemoryPropertyFlags wanted) {
        const auto known = physical_device.getMemoryProperties();
        for (uint32_t ix = 0; ix < known.memoryTypeCount; ++ix) {
            if (!(needs.memoryTypeBits >> ix & 1) || (known.memoryTypes[ix].propertyFlags & wanted) != wanted) continue;
            return {device, vk::MemoryAllocateInfo{.allocationSize = needs.size, .memoryTypeIndex = ix}};
        }
        throw std::runtime_error("no such memory");
    }
};
