// A PNG writer for pictures that nobody has to store for long: it does not compress.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace png {

inline void big_endian(std::vector<uint8_t>& bytes, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(uint8_t(value >> shift));
}

inline uint32_t crc(const std::vector<uint8_t>& bytes) {
    uint32_t sum = ~0u;
    for (uint8_t byte : bytes) {
        sum ^= byte;
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return ~sum;
}

inline void chunk(std::ofstream& file, const char* kind, const std::vector<uint8_t>& body) {
    std::vector<uint8_t> head, checked(kind, kind + 4), tail;
    big_endian(head, uint32_t(body.size()));
    checked.insert(checked.end(), body.begin(), body.end());
    big_endian(tail, crc(checked));
    for (auto* part : {&head, &checked, &tail}) file.write(reinterpret_cast<const char*>(part->data()), part->size());
}

// Rows of RGBA from the top. Returns whether the file could be written.
inline bool write(const std::string& path, uint32_t width, uint32_t height, const uint8_t* rgba) {
    std::vector<uint8_t> size, packed = {0x78, 0x01}, rows;
    big_endian(size, width);
    big_endian(size, height);
    for (uint8_t byte : {8, 6, 0, 0, 0}) size.push_back(byte); // 8 bits, RGBA
    for (uint32_t y = 0; y < height; ++y) {
        rows.push_back(0); // no filter
        rows.insert(rows.end(), rgba + 4 * size_t(width) * y, rgba + 4 * size_t(width) * (y + 1));
    }
    uint32_t a = 1, b = 0; // Adler-32
    for (uint8_t byte : rows) {
        a = (a + byte) % 65521;
        b = (b + a) % 65521;
    }
    for (size_t at = 0; at < rows.size(); at += 65535) { // stored blocks
        const auto count = uint16_t(std::min<size_t>(65535, rows.size() - at));
        packed.push_back(at + count == rows.size());
        for (uint16_t length : {count, uint16_t(~count)}) {
            packed.push_back(uint8_t(length));
            packed.push_back(uint8_t(length >> 8));
        }
        packed.insert(packed.end(), rows.begin() + at, rows.begin() + at + count);
    }
    big_endian(packed, b << 16 | a);
    std::ofstream file(path, std::ios::binary);
    const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    file.write(reinterpret_cast<const char*>(signature), sizeof signature);
    chunk(file, "IHDR", size);
    chunk(file, "IDAT", packed);
    chunk(file, "IEND", {});
    return bool(file.flush());
}

} // namespace png
