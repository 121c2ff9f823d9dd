/* The part of SVG that our pictures need: whole pixels, letters that can be read where a page shrinks the picture to
   half, colours that colour-blind people tell apart, and a dark mode. SPDX-License-Identifier: MIT */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SVG_WIDE 720u
#define SVG_COLOURS 5u

enum svg_align { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT };

/* NULL: it can't be written; errno says why. The title is for those who can't see the picture. */
FILE *svg_open(const char *path, unsigned height, const char *title);

/* style: classes: h (headline), b (bold), s (small), c0 to c4 (a colour), halo (over lines), or none. The text
   is ours: it is not escaped. */
void svg_text(FILE *file, unsigned x, unsigned y, enum svg_align align, const char *style, const char *text);

/* style: the classes f0 to f4 (a colour), sure (grey). */
void svg_box(FILE *file, unsigned x, unsigned y, unsigned width, unsigned height, const char *style);

/* style: the classes axis, grid, limit (dashed), l0 to l4 (a colour). */
void svg_line(FILE *file, unsigned x1, unsigned y1, unsigned x2, unsigned y2, const char *style);

/* False: something was not written. */
bool svg_close(FILE *file);

/* The least of 1, 2, 5, 10, 20, 50 ... that takes at most `most` steps to reach `end`. */
uint32_t svg_step(uint64_t end, uint32_t most);

#endif
