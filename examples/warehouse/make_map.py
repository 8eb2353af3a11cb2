"""Draws the map of the warehouse, map.png, with Python's standard library: python3 make_map.py"""

import struct
import zlib

COLUMNS, ROWS = 320, 200  # pixels of 0.05 m
FREE, OCCUPIED, UNKNOWN = 254, 0, 205

pixels = [[FREE] * COLUMNS for _ in range(ROWS)]


def fill(left, top, width, height, value):
    for row in range(top, top + height):
        pixels[row][left : left + width] = [value] * width


# The outer walls with a gate in the east, and a room in the south-west that the robot has not seen.
for left, top, width, height in [(0, 0, 320, 3), (0, 197, 320, 3), (0, 0, 3, 200), (317, 0, 3, 80), (317, 110, 3, 90)]:
    fill(left, top, width, height, OCCUPIED)
fill(3, 150, 57, 47, UNKNOWN)
fill(60, 147, 3, 53, OCCUPIED)
fill(0, 147, 63, 3, OCCUPIED)
# Five double rows of shelves, and a narrow passage of half a metre between the fourth and the fifth.
for left in [60, 105, 150, 195, 226]:
    fill(left, 25, 20, 105, OCCUPIED)
# Two pillars in the open hall.
fill(120, 160, 8, 8, OCCUPIED)
fill(200, 160, 8, 8, OCCUPIED)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


header = struct.pack(">IIBBBBB", COLUMNS, ROWS, 8, 0, 0, 0, 0)
lines = b"".join(b"\0" + bytes(row) for row in pixels)
with open("map.png", "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n")
    file.write(chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))
