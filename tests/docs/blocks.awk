# Writes each block of C in the documents to two files in the folder that -v folder= names:
# DOCUMENT.LINE.functions and DOCUMENT.LINE.statements. The messages of a compiler name the lines of
# the document. In Markdown a block begins with ```c. In a header it stands in a comment, behind an
# empty line and seven spaces, and has a line that ends in ; or { or }.
# SPDX-License-Identifier: MIT

function add(text) {
    if (count == 0)
        first = FNR
    line[first + count++] = text
    if (text ~ /[;{}]( *\/[\/*].*)?$/)
        is_code = 1
}

function end_block(    i, name, kind, begins) {
    name = document
    gsub(/\//, "_", name)
    name = folder "/" name "." first "."
    for (i = first; is_code && i < first + count; i++) {
        begins = line[i] ~ /^(#|static |int main\(|struct [a-z_]+ \{)/
        printf "" >(name "functions")
        printf "" >(name "statements")
        if (begins || kind == "") {
            kind = begins ? "functions" : "statements"
            print "#line " i " \"" document "\"" >(name kind)
        }
        print line[i] >(name kind)
        if (line[i] ~ /^[#}]/ || (begins && line[i] ~ /[;}]( *\/[\/*].*)?$/))
            kind = ""
    }
    count = is_code = 0
}

FNR == 1 { document = FILENAME; inside = in_comment = after_empty = 0 }

document ~ /\.md$/ && /^```/ { end_block(); inside = /^```c$/; next }
document ~ /\.md$/ { if (inside) add($0); next }

!in_comment { in_comment = /\/\*/ && !/\*\//; next }
{
    ends = sub(/ *\*\/.*/, "")
    if (/^       / && (after_empty || count > 0))
        add(substr($0, 8))
    else if ($0 == "" && count > 0)
        add("")
    else
        end_block()
    after_empty = $0 == ""
    if (ends)
        end_block()
    in_comment = !ends
}
