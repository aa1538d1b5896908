package osworld

import (
	"image"
	"math"
	"math/bits"
	"slices"
)

// The perceptual hash is the published one: the picture in grey, reduced to 32 × 32; a
// discrete cosine transform, of which the 8 × 8 lowest frequencies are kept; and a bit
// for each frequency that is above their median. All arithmetic is in integers, so that
// every platform computes the same bits.

const (
	side  = 32 // width and height of the reduced picture
	kept  = 8  // frequencies in each direction
	scale = 20 // fractional bits of the cosines
	fine  = 16 // fractional bits of the grey levels
)

// similar is the smallest similarity of two pictures of one state: at most 3 of 64 bits
// differ.
const similar = 0.95

// hashSimilarity returns the share of bits that are equal in two hashes.
func hashSimilarity(a, b uint64) float64 {
	return 1 - float64(bits.OnesCount64(a^b))/64
}

// perceptualHash returns the perceptual hash of a picture. Each bit stands for one
// frequency, row by row. The highest bit stands for the first frequency. The time is
// O(pixels).
func perceptualHash(img image.Image) uint64 {
	grey := reduceImage(img)
	var rows [side][kept]int64 // transformed along x
	for y := range side {
		for u := range kept {
			for x := range side {
				rows[y][u] += grey[y][x] * cosines[u][x]
			}
			rows[y][u] >>= fine // 2^49 at most before, so that the sums below fit
		}
	}
	var low, sorted [kept * kept]int64
	for v := range kept {
		for u := range kept {
			for y := range side {
				low[v*kept+u] += rows[y][u] * cosines[v][y]
			}
		}
	}
	sorted = low
	slices.Sort(sorted[:])
	middle := sorted[31] + sorted[32] // twice the median
	var hash uint64
	for _, c := range low {
		hash <<= 1
		if 2*c > middle {
			hash |= 1
		}
	}
	return hash
}

// cosines is the table of the transform. A guest has it from its start.
var cosines = cosineTable()

// cosineTable returns the cosines that the transform (DCT-II) needs, as integers with 20
// fractional bits.
func cosineTable() (out [kept][side]int64) {
	for k := range kept {
		for n := range side {
			out[k][n] = int64(math.Round(math.Cos(math.Pi*float64(2*n+1)*float64(k)/(2*side)) * (1 << scale)))
		}
	}
	return out
}

// reduceImage divides a picture into 32 × 32 cells and returns the mean grey level of
// each cell, in units of 1/65536. A pixel that lies in several cells counts in each cell
// by the part of its area in that cell.
func reduceImage(img image.Image) (out [side][side]int64) {
	b := img.Bounds()
	w, h := int64(b.Dx()), int64(b.Dy())
	row, at := make([]uint8, w), int64(-1)
	across := spreadPixels(w)
	var sums [side]int64 // of the row at
	for _, v := range spreadPixels(h) {
		if v.pixel != at {
			greyRow(img, b.Min.Y+int(v.pixel), row)
			at, sums = v.pixel, [side]int64{}
			for _, u := range across {
				sums[u.cell] += int64(row[u.pixel]) * u.weight
			}
		}
		for x, n := range sums {
			out[v.cell][x] += n * v.weight
		}
	}
	for y := range out {
		for x := range out[y] {
			out[y][x] = out[y][x] << fine / (w * h)
		}
	}
	return out
}

// share is the part of a pixel that lies in a cell.
type share struct{ pixel, cell, weight int64 }

// spreadPixels distributes n pixels over 32 cells in one direction. All lengths are
// integers. A pixel has the length 32, and a cell has the length n.
func spreadPixels(n int64) (out []share) {
	for i := range n {
		for cell := i * side / n; cell*n < (i+1)*side; cell++ {
			out = append(out, share{i, cell, min((i+1)*side, (cell+1)*n) - max(i*side, cell*n)})
		}
	}
	return out
}

// greyRow reads a row of pixels as grey levels, with the weights of ITU-R BT.601. It
// ignores transparency, because screens have none.
func greyRow(img image.Image, y int, row []uint8) {
	b := img.Bounds()
	switch m := img.(type) {
	case *image.YCbCr:
		from := m.YOffset(b.Min.X, y)
		copy(row, m.Y[from:from+b.Dx()])
	case *image.Gray:
		from := m.PixOffset(b.Min.X, y)
		copy(row, m.Pix[from:from+b.Dx()])
	case *image.RGBA:
		grey4(row, m.Pix[m.PixOffset(b.Min.X, y):])
	case *image.NRGBA:
		grey4(row, m.Pix[m.PixOffset(b.Min.X, y):])
	default:
		for x := range row {
			r, g, bl, _ := img.At(b.Min.X+x, y).RGBA()
			row[x] = rgbToGray(r>>8, g>>8, bl>>8)
		}
	}
}

func grey4(row, pixels []uint8) {
	for x := range row {
		p := pixels[4*x : 4*x+3]
		row[x] = rgbToGray(uint32(p[0]), uint32(p[1]), uint32(p[2]))
	}
}

func rgbToGray(r, g, b uint32) uint8 { return uint8((19595*r + 38470*g + 7471*b + 1<<15) >> 16) }
