package osworld

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
)

// Limits of a picture: no screen is larger, and a small file may claim any size.
const (
	maxPixels  = 16 << 20
	maxSide    = 16384
	maxEncoded = 24 << 20  // bytes of base64
	maxInAll   = 512 << 20 // pixels in all pictures of one request: 250 large screens
)

// screen holds the properties of a picture by which states are compared.
type screen struct {
	hash   uint64
	exact  uint64 // a hash of every pixel
	width  int
	height int
}

// isSimilar reports whether two pictures are so similar that they show the same state.
func (s *screen) isSimilar(other *screen) bool { return hashSimilarity(s.hash, other.hash) >= similar }

// marks holds the beginnings of PNG and JPEG in base64.
var marks = [...]string{"iVBORw0KGgo", "/9j/"}

// lastPicture returns the last picture in an observation, or "" if there is none. A
// picture is a PNG or JPEG in base64. It may stand alone, in a data: URL, or as a string
// in JSON.
func lastPicture(text string) string {
	best := -1
	for _, mark := range marks {
		for at := len(text); ; {
			at = strings.LastIndex(text[:at], mark)
			if at <= best {
				break
			}
			if at == 0 || strings.IndexByte("\",'( \t\n=", text[at-1]) >= 0 {
				best = at
				break
			}
		}
	}
	if best < 0 {
		return ""
	}
	data := text[best:]
	if end := strings.IndexAny(data, "\"') \t\r\n"); end >= 0 {
		data = data[:end]
	}
	return data
}

// decodeScreen decodes a picture in base64. It refuses a picture that is larger than any
// screen, or that has more pixels than the parameter left. It checks the size before it
// reads the pixels.
func decodeScreen(data string, left int) (*screen, error) {
	if len(data) > maxEncoded {
		return nil, fmt.Errorf("the picture has %d bytes, limit %d", len(data), maxEncoded)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimRight(data, "=") + strings.Repeat("=", (4-len(strings.TrimRight(data, "="))%4)%4))
	if err != nil {
		return nil, errors.New("the picture is not base64")
	}
	config, decode := png.DecodeConfig, png.Decode
	if !bytes.HasPrefix(raw, []byte("\x89PNG")) {
		config, decode = jpeg.DecodeConfig, jpeg.Decode
	}
	c, err := config(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the picture cannot be read: %v", err)
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > maxPixels {
		return nil, fmt.Errorf("the picture has %d × %d pixels; the limit is %d for each side and %d in total", c.Width, c.Height, maxSide, maxPixels)
	}
	if c.Width*c.Height > left {
		return nil, fmt.Errorf("all pictures together have more than %d pixels", maxInAll)
	}
	img, err := decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the picture cannot be read: %v", err)
	}
	return &screen{hash: perceptualHash(img), exact: hashPixels(img), width: c.Width, height: c.Height}, nil
}

// hashPixels returns a hash of every pixel. The pixels of a JPEG are hashed as they are
// stored, so the hash changes if the picture is compressed again.
func hashPixels(img image.Image) uint64 {
	var h uint64
	switch m := img.(type) {
	case *image.YCbCr:
		h = hashBytes(h, m.Y)
		h = hashBytes(h, m.Cb)
		h = hashBytes(h, m.Cr)
	case *image.RGBA:
		h = hashBytes(h, m.Pix)
	case *image.NRGBA:
		h = hashBytes(h, m.Pix)
	case *image.Gray:
		row := make([]byte, 3*m.Rect.Dx())
		for y := range m.Rect.Dy() {
			for x, grey := range m.Pix[y*m.Stride:][:m.Rect.Dx()] {
				row[3*x], row[3*x+1], row[3*x+2] = grey, grey, grey
			}
			h = hashBytes(h, row)
		}
	default:
		b := img.Bounds()
		row := make([]byte, 0, 3*b.Dx())
		for y := b.Min.Y; y < b.Max.Y; y++ {
			row = row[:0]
			for x := b.Min.X; x < b.Max.X; x++ {
				r, g, bl, _ := img.At(x, y).RGBA()
				row = append(row, byte(r>>8), byte(g>>8), byte(bl>>8))
			}
			h = hashBytes(h, row)
		}
	}
	return h
}

// hashBytes adds bytes to a hash. It takes eight at a time, because a large screen has
// eight million.
func hashBytes(h uint64, b []byte) uint64 {
	mix := func(word uint64) {
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for ; len(b) >= 8; b = b[8:] {
		mix(binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		mix(uint64(c))
	}
	return h
}

// gallery decodes each picture of a request once.
type gallery struct {
	seen map[string]*screen
	errs []error // errors of pictures that cannot be read
	used int     // pixels decoded so far
}

// readScreen returns the last picture in an observation, or nil if no picture can be
// read.
func (g *gallery) readScreen(text string) *screen {
	data := lastPicture(text)
	if data == "" {
		return nil
	}
	if s, ok := g.seen[data]; ok {
		return s
	}
	s, err := decodeScreen(data, maxInAll-g.used)
	if err != nil {
		g.errs = append(g.errs, err)
	} else {
		g.used += s.width * s.height
	}
	g.seen[data] = s
	return s
}
