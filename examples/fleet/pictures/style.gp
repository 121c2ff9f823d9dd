# The style of the picture. The colours can be told apart by the colour-blind; draw knows those for
# dark pages.
axis = '#59636e'; grid = '#d8dce1'; waiting = '#c3c9d0'
array mode[4] = ['none', 'added', 'wide', 'full']
array colour[4] = ['#6b6b6b', '#c84e00', '#00805c', '#0072b2']
set terminal svg size 720,600 dynamic font 'sans-serif,17' background '#ffffff'
set border 1 linecolor rgb axis
set tics nomirror scale 0.5
set ytics scale 0
set grid linetype 1 linecolor rgb grid
set style fill solid noborder
set style rectangle fillstyle solid noborder
unset key
