# The style of the picture. draw knows the colours for dark pages.
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
