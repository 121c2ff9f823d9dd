/* The part of SVG that our pictures need. SPDX-License-Identifier: MIT */
#include "svg.h"

/* After Okabe and Ito: vermilion, blue, green, purple, grey. */
static const char *const colours[2][SVG_COLOURS] = {
    { "#c84e00", "#0072b2", "#00805c", "#b0508f", "#6b6b6b" },
    { "#ff8a3d", "#56b4e9", "#2fc99b", "#e79fca", "#a5a5a5" }
};

static void colour_rules(FILE *file, const char *const *of)
{
    unsigned i;
    for (i = 0; i < SVG_COLOURS; i++)
        fprintf(file, ".l%u { stroke: %s } .f%u, .c%u { fill: %s }\n", i, of[i], i, i, of[i]);
}

static void style_rules(FILE *file)
{
    fprintf(file, "<style>\n"
            "text { font: 19px Helvetica, Arial, 'Liberation Sans', sans-serif; fill: #1f2328 }\n"
            ".h { font-weight: bold; font-size: 22px } .b { font-weight: bold } .s { font-size: 18px }\n"
            "path { fill: none; stroke-width: 3; stroke-linejoin: round } .page { fill: #fff }\n"
            ".axis { stroke: #59636e; stroke-width: 1.5 } .grid { stroke: #d8dce1; stroke-width: 1 }\n"
            ".limit { stroke: #1f2328; stroke-width: 2; stroke-dasharray: 7 5 } .thin { stroke-width: 1.5 }\n"
            ".halo { stroke: #fff; stroke-width: 6; stroke-linejoin: round; paint-order: stroke }\n"
            ".sure { fill: #c3c9d0 } .area { stroke: none }\n");
    colour_rules(file, colours[0]);
    fprintf(file, "@media (prefers-color-scheme: dark) {\n"
            "text { fill: #f0f6fc } .page { fill: #0d1117 } .axis { stroke: #9198a1 } .grid { stroke: #2f353d }\n"
            ".limit { stroke: #f0f6fc } .halo { stroke: #0d1117 } .sure { fill: #4d5560 }\n");
    colour_rules(file, colours[1]);
    fprintf(file, "}\n</style>\n");
}

FILE *svg_open(const char *path, unsigned height, const char *title)
{
    FILE *file = fopen(path, "wb");   /* b: the same bytes everywhere */
    if (!file)
        return NULL;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\">\n"
            "<title>%s</title>\n", SVG_WIDE, height, SVG_WIDE, height, title);
    style_rules(file);
    svg_box(file, 0, 0, SVG_WIDE, height, "page");
    return file;
}

void svg_text(FILE *file, unsigned x, unsigned y, enum svg_align align, const char *style, const char *text)
{
    static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
    fprintf(file, "<text x=\"%u\" y=\"%u\"%s class=\"%s\">%s</text>\n", x, y, anchors[align], style, text);
}

void svg_box(FILE *file, unsigned x, unsigned y, unsigned width, unsigned height, const char *style)
{
    fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"%s\"/>\n", x, y, width, height, style);
}

void svg_line(FILE *file, unsigned x1, unsigned y1, unsigned x2, unsigned y2, const char *style)
{
    fprintf(file, "<path d=\"M%u.5 %u.5L%u.5 %u.5\" class=\"%s\"/>\n", x1, y1, x2, y2, style);
}

bool svg_close(FILE *file)
{
    bool fine = fprintf(file, "</svg>\n") > 0 && !ferror(file);
    return fclose(file) == 0 && fine;
}

uint32_t svg_step(uint64_t end, uint32_t most)
{
    uint32_t step = 1, leap = 0;
    while ((uint64_t)step * most < end && step <= 500000000)
        step = leap++ % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}
