// A small engine over Vulkan: a device, memory, two frames in flight, one pipeline. It has never heard of cloth, but for what
// a device needs.
#pragma once

#include <array>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "radial_fields.h"
#include "shade_frag.h"
#include "shade_vert.h"

constexpr uint32_t frames_in_flight = 2;
constexpr VkExtent2D extent = {960, 1200};
constexpr VkFormat colour_format = VK_FORMAT_R8G8B8A8_SRGB, depth_format = VK_FORMAT_D32_SFLOAT;
constexpr VkShaderStageFlags drawing_stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

inline void check(VkResult result, const char* what) {
    if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(result));
}

inline void check(RfResult result) {
    if (result != RF_RESULT_OK) throw std::runtime_error(rf_last_error());
}

struct Image {
    VkImage handle;
    VkImageView view;
};

struct Buffer {
    VkBuffer handle;
    void* mapped;
};

class Engine {
public:
    VkInstance instance{};
    VkPhysicalDevice physical_device{};
    VkDevice device{};
    uint32_t queue_family = 0;
    bool validates;
    uint32_t message_count = 0;
    VkPipelineLayout layout{};
    VkPipeline pipeline{};

    explicit Engine(bool validates) : validates(validates) {
        make_instance();
        pick_device();
        make_device();
        vkGetDeviceQueue(device, queue_family, 0, &queue);
        VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        pool_info.queueFamilyIndex = queue_family;
        check(vkCreateCommandPool(device, &pool_info, nullptr, &pool), "command pool");
        for (uint32_t ix = 0; ix < frames_in_flight; ++ix) {
            VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
            info.commandPool = pool;
            info.commandBufferCount = 1;
            check(vkAllocateCommandBuffers(device, &info, &commands[ix]), "command buffer");
            VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
            check(vkCreateFence(device, &fence, nullptr, &fences[ix]), "fence");
        }
        make_pipeline();
    }
    Engine(const Engine&) = delete;

    ~Engine() {
        vkDeviceWaitIdle(device);
        vkDestroyPipeline(device, pipeline, nullptr);
        vkDestroyPipelineLayout(device, layout, nullptr);
        for (auto& image : images) {
            vkDestroyImageView(device, image.view, nullptr);
            vkDestroyImage(device, image.handle, nullptr);
        }
        for (auto buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
        for (auto memory : memories) vkFreeMemory(device, memory, nullptr);
        for (auto fence : fences) vkDestroyFence(device, fence, nullptr);
        vkDestroyCommandPool(device, pool, nullptr);
        vkDestroyDevice(device, nullptr);
        if (messenger) function<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT")(instance, messenger, nullptr);
        vkDestroyInstance(instance, nullptr);
    }

    // Records a frame and submits it, once the frame that used the same command buffer has finished.
    void frame(const std::function<void(VkCommandBuffer)>& record) {
        const uint32_t slot = frame_ix++ % frames_in_flight;
        check(vkWaitForFences(device, 1, &fences[slot], VK_TRUE, UINT64_MAX), "waiting for a frame");
        VkCommandBufferBeginInfo once{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        once.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        check(vkBeginCommandBuffer(commands[slot], &once), "command buffer");
        record(commands[slot]);
        check(vkEndCommandBuffer(commands[slot]), "command buffer");
        check(vkResetFences(device, 1, &fences[slot]), "fence");
        VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands[slot];
        check(vkQueueSubmit(queue, 1, &submit, fences[slot]), "submitting");
    }

    // A buffer the CPU can reach.
    Buffer buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) {
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        info.size = bytes;
        info.usage = usage;
        Buffer made{};
        check(vkCreateBuffer(device, &info, nullptr, &made.handle), "buffer");
        buffers.push_back(made.handle);
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(device, made.handle, &needs);
        auto memory = allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        check(vkBindBufferMemory(device, made.handle, memory, 0), "buffer");
        check(vkMapMemory(device, memory, 0, bytes, 0, &made.mapped), "buffer");
        return made;
    }

    Image image(VkFormat format, VkImageUsageFlags usage) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = format;
        info.extent = {extent.width, extent.height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = usage;
        Image made{};
        check(vkCreateImage(device, &info, nullptr, &made.handle), "image");
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device, made.handle, &needs);
        check(vkBindImageMemory(device, made.handle, allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0), "image");
        VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view.image = made.handle;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = format;
        view.subresourceRange = range(format);
        check(vkCreateImageView(device, &view, nullptr, &made.view), "image view");
        images.push_back(made);
        return made;
    }

    static VkImageSubresourceRange range(VkFormat format) {
        const VkImageAspectFlags aspect = format == depth_format ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
        return {aspect, 0, 1, 0, 1};
    }

private:
    VkQueue queue{};
    VkCommandPool pool{};
    VkDebugUtilsMessengerEXT messenger{};
    std::array<VkCommandBuffer, frames_in_flight> commands{};
    std::array<VkFence, frames_in_flight> fences{};
    uint32_t frame_ix = 0;
    std::vector<VkDeviceMemory> memories;
    std::vector<VkBuffer> buffers;
    std::vector<Image> images;

    template <typename F>
    F function(const char* name) {
        return reinterpret_cast<F>(vkGetInstanceProcAddr(instance, name));
    }

    static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                               const VkDebugUtilsMessengerCallbackDataEXT* data, void* engine) {
        std::fprintf(stderr, "validation: %s\n", data->pMessage);
        ++static_cast<Engine*>(engine)->message_count;
        return VK_FALSE;
    }

    void make_instance() {
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.pApplicationName = "host_cpp";
        application.apiVersion = VK_API_VERSION_1_3;
        const char* layer = "VK_LAYER_KHRONOS_validation";
        const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        const auto checks = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
        VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
        features.enabledValidationFeatureCount = 1;
        features.pEnabledValidationFeatures = &checks;
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
        info.pApplicationInfo = &application;
        if (validates) {
            info.pNext = &features;
            info.enabledLayerCount = info.enabledExtensionCount = 1;
            info.ppEnabledLayerNames = &layer;
            info.ppEnabledExtensionNames = &extension;
        }
        check(vkCreateInstance(&info, nullptr, &instance), "Vulkan did not start");
        if (!validates) return;
        VkDebugUtilsMessengerCreateInfoEXT listen{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
        listen.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        listen.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
        listen.pfnUserCallback = hear;
        listen.pUserData = this;
        auto create = function<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT");
        check(create(instance, &listen, nullptr, &messenger), "messenger");
    }

    void pick_device() {
        uint32_t count = 0;
        vkEnumeratePhysicalDevices(instance, &count, nullptr);
        std::vector<VkPhysicalDevice> devices(count);
        vkEnumeratePhysicalDevices(instance, &count, devices.data());
        for (auto candidate : devices) {
            if (rf_check_support(vkGetInstanceProcAddr, instance, candidate) != RF_RESULT_OK) continue;
            physical_device = candidate;
            vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, nullptr);
            std::vector<VkQueueFamilyProperties> families(count);
            vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, families.data());
            const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
            for (queue_family = 0; queue_family < count; ++queue_family)
                if ((families[queue_family].queueFlags & needed) == needed) return;
        }
        throw std::runtime_error("no device will do");
    }

    void make_device() {
        // What the engine wants for itself would be set first; the library adds what it needs.
        VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
        VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
        VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
        check(rf_enable_features(&core.features, &vulkan12, &vulkan13));
        std::vector<const char*> extensions;
        while (const char* name = rf_required_extension(uint32_t(extensions.size()))) extensions.push_back(name);
        const float priority = 1;
        VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
        queues.queueFamilyIndex = queue_family;
        queues.queueCount = 1;
        queues.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &core};
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queues;
        info.enabledExtensionCount = uint32_t(extensions.size());
        info.ppEnabledExtensionNames = extensions.data();
        check(vkCreateDevice(physical_device, &info, nullptr, &device), "opening the device");
    }

    // The engine's allocator: one allocation an object, kept to the end.
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
        VkPhysicalDeviceMemoryProperties known;
        vkGetPhysicalDeviceMemoryProperties(physical_device, &known);
        for (uint32_t ix = 0; ix < known.memoryTypeCount; ++ix) {
            if (!(needs.memoryTypeBits >> ix & 1) || (known.memoryTypes[ix].propertyFlags & wanted) != wanted) continue;
            VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, ix};
            VkDeviceMemory memory;
            check(vkAllocateMemory(device, &info, nullptr, &memory), "memory");
            memories.push_back(memory);
            return memory;
        }
        throw std::runtime_error("no such memory");
    }

    VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits kind, const uint32_t* words, size_t bytes) {
        VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, bytes, words};
        VkPipelineShaderStageCreateInfo made{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
        check(vkCreateShaderModule(device, &info, nullptr, &made.module), "shader");
        made.stage = kind;
        made.pName = "main";
        return made;
    }

    // Draws positions and normals that lie in a buffer each; how far apart is said when they are bound.
    void make_pipeline() {
        const VkPushConstantRange push = {drawing_stages, 0, 80};
        VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout_info.pushConstantRangeCount = 1;
        layout_info.pPushConstantRanges = &push;
        check(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout), "layout");
        const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, shade_vert, sizeof shade_vert),
                                                          stage(VK_SHADER_STAGE_FRAGMENT_BIT, shade_frag, sizeof shade_frag)};
        const VkVertexInputBindingDescription bindings[] = {{0, 0, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 0, VK_VERTEX_INPUT_RATE_VERTEX}};
        const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 1, VK_FORMAT_R32G32B32_SFLOAT, 0}};
        VkPipelineVertexInputStateCreateInfo vertices{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, nullptr, 0, 2, bindings, 2, attributes};
        VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
        VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, nullptr, 1};
        VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
        raster.lineWidth = 1;
        VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, nullptr, 0, VK_SAMPLE_COUNT_1_BIT};
        VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, nullptr, 0, VK_TRUE, VK_TRUE, VK_COMPARE_OP_LESS};
        VkPipelineColorBlendAttachmentState opaque{};
        opaque.colorWriteMask = 0xF;
        VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
        blend.attachmentCount = 1;
        blend.pAttachments = &opaque;
        const VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
        VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0, 3, dynamics};
        VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, nullptr, 0, 1, &colour_format, depth_format};
        VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering, 0, 2, stages, &vertices, &assembly};
        info.pViewportState = &viewports;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pDepthStencilState = &depth;
        info.pColorBlendState = &blend;
        info.pDynamicState = &dynamic;
        info.layout = layout;
        check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "pipeline");
        for (auto& made : stages) vkDestroyShaderModule(device, made.module, nullptr);
    }
};
