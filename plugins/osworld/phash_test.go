package osworld

import (
	"image"
	"image/color"
	"math"
	"math/bits"
	"math/rand"
	"slices"
	"testing"
)

// plainHash computes the same hash as perceptualHash. It follows the definition of the
// hash directly, with floating-point numbers.
func plainHash(img image.Image) uint64 {
	b := img.Bounds()
	var cell [32][32]float64
	for j := range 32 {
		for i := range 32 {
			x0, x1 := float64(i*b.Dx())/32, float64((i+1)*b.Dx())/32
			y0, y1 := float64(j*b.Dy())/32, float64((j+1)*b.Dy())/32
			sum, area := 0.0, 0.0
			for y := int(y0); float64(y) < y1; y++ {
				for x := int(x0); float64(x) < x1; x++ {
					part := (min(float64(x+1), x1) - max(float64(x), x0)) * (min(float64(y+1), y1) - max(float64(y), y0))
					r, g, bl, _ := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
					sum += part * math.Round(0.299*float64(r>>8)+0.587*float64(g>>8)+0.114*float64(bl>>8))
					area += part
				}
			}
			cell[j][i] = sum / area
		}
	}
	var low []float64
	for v := range 8 {
		for u := range 8 {
			sum := 0.0
			for y := range 32 {
				for x := range 32 {
					sum += cell[y][x] * math.Cos(math.Pi*float64((2*x+1)*u)/64) * math.Cos(math.Pi*float64((2*y+1)*v)/64)
				}
			}
			low = append(low, sum)
		}
	}
	sorted := slices.Sorted(slices.Values(low))
	var hash uint64
	for _, c := range low {
		hash <<= 1
		if c > (sorted[31]+sorted[32])/2 {
			hash |= 1
		}
	}
	return hash
}

// paintPicture returns a picture of w × h pixels. The function f gives the grey level of
// each pixel.
func paintPicture(w, h int, f func(x, y int) int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Pix[y*img.Stride+x] = uint8(f(x, y))
		}
	}
	return img
}

func stepPattern(x, y int) int { return (x*7 + y*13 + (x*y)%17*3) % 256 }

func boxPattern(x, y int) int {
	if x >= 10 && x < 40 && y >= 5 && y < 20 {
		return 230
	}
	return 20 + x%5*10 + y%3*7
}

// TestHashKnown compares hashes with the results of another program for the same
// pictures.
func TestHashKnown(t *testing.T) {
	check := func(f func(x, y int) int, w, h int, want uint64) {
		t.Helper()
		if got := perceptualHash(paintPicture(w, h, f)); got != want {
			t.Errorf("%d × %d: %016x, want %016x (%d bits differ)", w, h, got, want, bits.OnesCount64(got^want))
		}
	}
	check(stepPattern, 32, 32, 0xc394c5963570a7cd)
	check(stepPattern, 100, 60, 0xfea972a923a90356)
	check(stepPattern, 333, 187, 0xdf40ff0845cc1af4)
	check(boxPattern, 32, 32, 0x8e8e71718e71718e)
	check(boxPattern, 100, 60, 0xe0e0e01f1f1f1d1d)
}

// TestHashSecondImplementation checks that perceptualHash and plainHash return the same
// bits. All pictures have at least 32 × 32 pixels.
func TestHashSecondImplementation(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	for n := range 60 {
		w, h := 32+random.Intn(90), 32+random.Intn(90)
		img := image.NewRGBA(image.Rect(3, 5, 3+w, 5+h))
		for range 12 { // windows on a desktop
			x, y, c := 3+random.Intn(w), 5+random.Intn(h), color.RGBA{uint8(random.Intn(256)), uint8(random.Intn(256)), uint8(random.Intn(256)), 255}
			for dy := range 1 + random.Intn(h) {
				for dx := range 1 + random.Intn(w) {
					img.Set(x+dx, y+dy, c)
				}
			}
		}
		if a, b := perceptualHash(img), plainHash(img); bits.OnesCount64(a^b) > 0 {
			t.Errorf("picture %d, %d × %d: %016x, and %016x by definition", n, w, h, a, b)
		}
	}
}

// TestSimilarity checks that small changes of a screen keep its hash similar. The hash of
// another screen must not be similar.
func TestSimilarity(t *testing.T) {
	desk := paintPicture(640, 400, func(x, y int) int { return 60 + boxPattern(x/8, y/8)/2 + stepPattern(x/40, y/40)/4 })
	near := paintPicture(640, 400, func(x, y int) int {
		if x > 600 && y < 12 { // the clock
			return int(desk.Pix[y*desk.Stride+x]) / 2
		}
		return int(desk.Pix[y*desk.Stride+x])
	})
	half := paintPicture(320, 200, func(x, y int) int { return int(desk.Pix[2*y*desk.Stride+2*x]) })
	other := paintPicture(640, 400, func(x, y int) int { return stepPattern(x/13, y/31) })
	for _, kind := range []struct {
		name string
		img  image.Image
		same bool
	}{{"itself", desk, true}, {"another clock", near, true}, {"half the size", half, true}, {"another screen", other, false}} {
		if s := hashSimilarity(perceptualHash(desk), perceptualHash(kind.img)); s >= similar != kind.same {
			t.Errorf("%s: alike by %.3f", kind.name, s)
		}
	}
}

// TestHashStored checks that a picture has the same hash in each of Go's image types.
func TestHashStored(t *testing.T) {
	grey := paintPicture(70, 40, stepPattern)
	want := perceptualHash(grey)
	b := grey.Bounds()
	rgba, nrgba, wide := image.NewRGBA(b), image.NewNRGBA(b), image.NewGray16(b)
	ycc := image.NewYCbCr(b, image.YCbCrSubsampleRatio420)
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := grey.GrayAt(x, y)
			rgba.Set(x, y, c)
			nrgba.Set(x, y, c)
			wide.Set(x, y, c)
			ycc.Y[ycc.YOffset(x, y)] = c.Y
		}
	}
	for _, img := range []image.Image{rgba, nrgba, wide, ycc} {
		if got := perceptualHash(img); got != want {
			t.Errorf("%T: %016x, want %016x", img, got, want)
		}
	}
	if cut := grey.SubImage(image.Rect(5, 5, 45, 35)); perceptualHash(cut) != plainHash(cut) {
		t.Error("a part of a picture is hashed otherwise")
	}
}

// TestHashPixels checks that a grey picture and the same picture with a palette have one
// hash, and that each changed pixel changes it.
func TestHashPixels(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 13, 7))
	palette := make(color.Palette, 256)
	for i := range palette {
		palette[i] = color.Gray{uint8(i)}
	}
	paletted := image.NewPaletted(grey.Rect, palette)
	for i := range grey.Pix {
		grey.Pix[i] = uint8(7 * i)
		paletted.Pix[i] = grey.Pix[i]
	}
	seen := map[uint64]bool{hashPixels(grey): true}
	if !seen[hashPixels(paletted)] {
		t.Error("a picture with a palette is hashed otherwise")
	}
	for i := range grey.Pix {
		grey.Pix[i]++
		seen[hashPixels(grey)] = true
	}
	if len(seen) != len(grey.Pix)+1 {
		t.Errorf("%d pictures have %d hashes", len(grey.Pix)+1, len(seen))
	}
}

func BenchmarkHash(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	for b.Loop() {
		perceptualHash(img)
	}
}
