# The picture of herd: on the left the share served over time, on the right the load on the server,
# by jitter mode. It begins when the server comes back. draw calls this, and knows the colours for
# dark pages.
# SPDX-License-Identifier: MIT
axis = '#59636e'; grid = '#d8dce1'
array mode[4] = ['none', 'added', 'wide', 'full']
array colour[4]
do for [i = 1:4] { colour[i] = word(colours, i) }
set terminal svg size 720,600 dynamic font 'sans-serif,17' background '#ffffff'
set border 1 linecolor rgb axis
set tics nomirror scale 0.5
set ytics scale 0
set grid linetype 1 linecolor rgb grid
set style fill solid noborder
set style rectangle fillstyle solid noborder
unset key

herd = programs.'/herd --clients 10000 --capacity 200 --outage 60 --horizon 260'
clients = 10000.; capacity = 200.; outage = 60; end = 200
table = system(herd)
set print $seconds; print system(herd.' --seconds'); set print
field(i, which) = system(sprintf("echo '%s' | awk '$1 == \"%s\" { print $(%s) }'", \
                                 table, mode[i], which))

set multiplot
set label 1 sprintf('{/:Bold All served in %.0f s with “wide”, in > %d s with “none”}', \
                    field(3, '3') - outage, end) \
    at screen 0.015,0.955 font ',18.5'
set label 2 '10,000 clients, after an outage of 60 s; base 1 s, cap 32 s' at screen 0.015,0.905
set label 3 'server: 200 requests a second, bursts of 1 s' at screen 0.015,0.86
set label 4 'seconds after the server came back' at screen 0.5,0.085 center
set label 5 'what the server can take: nobody is served sooner' at screen 0.085,0.03
set arrow 1 from screen 0.015,0.03 to screen 0.07,0.03 \
    nohead dashtype 2 linewidth 2 linecolor 'black'
set xrange [0:end]; set xtics 50

# The share served. A line leads from the name of a mode to its curve, if all are served.
set label 6 '{/:Bold Served, %}' at screen 0.015,0.785
set lmargin at screen 0.085; set rmargin at screen 0.48
set tmargin at screen 0.745; set bmargin at screen 0.165
set yrange [0:100]; set ytics 25
do for [i = 1:4] {
    share = 0; level = 100 - 9 * (i - 2)
    stats $seconds using (share = share + column(2 * i + 1) * 100 / clients, \
                          share < level ? $1 + 2 - outage : 1/0) nooutput
    if (share < 99.9) {
        set label 10 + i '{/:Bold '.mode[i].'}' at end - 3,share + 4 right textcolor rgb colour[i]
    } else {
        set label 10 + i sprintf('{/:Bold %s %.0f s}', mode[i], field(i, '3') - outage) \
            at end - 3,level right textcolor rgb colour[i]
        set arrow 10 + i from STATS_max,level to end * 0.57,level nohead linecolor rgb colour[i]
    }
}
plot for [i = 1:4] $seconds using ($1 + 1 - outage):(column(2 * i + 1) * 100 / clients) \
         smooth cumulative with lines linewidth 3 linecolor rgb colour[i], \
     [0:(clients - capacity) / capacity] '+' using 1:((column(1) + 1) * capacity * 100 / clients) \
         with lines linewidth 2 dashtype 2 linecolor 'black'

# The load, cut off at twice the capacity.
unset label; unset arrow; unset ytics; unset grid
cut(load) = load > 2 ? 2 : load
set label 1 '{/:Bold Load, up to 2 × capacity}' at screen 0.55,0.785
set lmargin at screen 0.55; set rmargin at screen 0.97
set yrange [0:2]; set format x ''
do for [i = 1:4] {
    bottom = 0.165 + 0.145 * (4 - i)
    set bmargin at screen bottom; set tmargin at screen bottom + 0.095
    set label 2 '{/:Bold '.mode[i].'}' at screen 0.55,bottom + 0.115 textcolor rgb colour[i]
    set label 3 sprintf('%s attempts, peak %.0f ×', field(i, '2'), \
                        field(i, 'NF - 3') * clients / 100 / capacity) \
        at screen 0.97,bottom + 0.115 right
    if (i == 4) { set format x '%g' }
    plot $seconds using ($1 + 0.5 - outage):(cut(column(2 * i) / capacity)) \
             with impulses linewidth 2.3 linecolor rgb colour[i], \
         1 with lines linewidth 2 dashtype 2 linecolor 'black'
    unset label
}
