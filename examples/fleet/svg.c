/* The little of SVG that our pictures need. SPDX-License-Identifier: MIT */
#include "svg.h"

FILE *svg_open(const char *path, unsigned width, unsigned height, const char *title)
{
    FILE *file = fopen(path, "wb");   /* b: the same bytes everywhere */
    if (!file)
        return NULL;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\">\n"
            "<title>%s</title>\n"
            "<style>\n"
            "text { font: 13px Helvetica, Arial, 'Liberation Sans', sans-serif; fill: #000 }\n"
            ".b { font-weight: bold } .h { font-weight: bold; font-size: 17px } .s { font-size: 12px }\n"
            "path, rect { shape-rendering: crispEdges }\n"
            ".axis { stroke: #000; fill: none } .grid { stroke: #ddd; fill: none }\n"
            ".limit { stroke: #c00; stroke-width: 1.5; stroke-dasharray: 6 3; fill: none }\n"
            "</style>\n"
            "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
            width, height, width, height, title, width, height);
    return file;
}

void svg_text(FILE *file, unsigned x, unsigned y, enum svg_align align, const char *style, const char *text)
{
    static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
    fprintf(file, "<text x=\"%u\" y=\"%u\"%s class=\"%s\">%s</text>\n", x, y, anchors[align], style, text);
}

void svg_box(FILE *file, unsigned x, unsigned y, unsigned width, unsigned height, const char *fill)
{
    fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n", x, y, width, height, fill);
}

void svg_line(FILE *file, unsigned x1, unsigned y1, unsigned x2, unsigned y2, const char *style)
{
    fprintf(file, "<path d=\"M%u.5 %u.5L%u.5 %u.5\" class=\"%s\"/>\n", x1, y1, x2, y2, style);
}

bool svg_close(FILE *file)
{
    bool fine = !ferror(file);
    return fclose(file) == 0 && fine;
}

uint32_t svg_step(uint64_t end, uint32_t most)
{
    uint32_t step = 1, leap = 0;
    while ((uint64_t)step * most < end && step <= 500000000)
        step = leap++ % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}
