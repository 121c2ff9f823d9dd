/* The little of SVG that our pictures need. Coordinates are whole pixels at the width that a page shows.
   SPDX-License-Identifier: MIT */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum svg_align { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT };

/* NULL: it can't be written; errno says why. The title is for those who can't see the picture. */
FILE *svg_open(const char *path, unsigned width, unsigned height, const char *title);

/* style: the class b (bold), h (headline), s (small), or none. The text is ours: it is not escaped. */
void svg_text(FILE *file, unsigned x, unsigned y, enum svg_align align, const char *style, const char *text);

void svg_box(FILE *file, unsigned x, unsigned y, unsigned width, unsigned height, const char *fill);

/* style: the classes axis, grid, limit (thick and dashed). */
void svg_line(FILE *file, unsigned x1, unsigned y1, unsigned x2, unsigned y2, const char *style);

/* False: something was not written. */
bool svg_close(FILE *file);

/* The least of 1, 2, 5, 10, 20, 50 ... that takes at most `most` steps to reach `end`. */
uint32_t svg_step(uint64_t end, uint32_t most);

#endif
