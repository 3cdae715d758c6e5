package poll

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// row is one row of a result in binary format. Columns are taken by name; one
// that the statement does not have reads as NULL, so that a statement may leave
// out what the server's version lacks.
type row struct {
	fields []pgconn.FieldDescription
	values [][]byte
}

// raw returns the column's bytes; nil for NULL.
func (r row) raw(column string) []byte {
	for i := range r.fields {
		if r.fields[i].Name == column {
			return r.values[i]
		}
	}
	return nil
}

// integer reads int2, int4, int8 and oid columns.
func (r row) integer(column string) model.Opt[int64] {
	v := r.raw(column)
	switch len(v) {
	case 2:
		return model.Some(int64(int16(binary.BigEndian.Uint16(v))))
	case 4:
		return model.Some(int64(int32(binary.BigEndian.Uint32(v))))
	case 8:
		return model.Some(int64(binary.BigEndian.Uint64(v)))
	}
	return model.None[int64]()
}

func (r row) int32(column string) model.Opt[int32] {
	if v, ok := r.integer(column).Get(); ok {
		return model.Some(int32(v))
	}
	return model.None[int32]()
}

func (r row) oid(column string) model.Opt[uint32] {
	if v := r.raw(column); len(v) == 4 {
		return model.Some(binary.BigEndian.Uint32(v))
	}
	return model.None[uint32]()
}

func (r row) float(column string) model.Opt[float64] {
	if v := r.raw(column); len(v) == 8 {
		return model.Some(math.Float64frombits(binary.BigEndian.Uint64(v)))
	}
	return model.None[float64]()
}

// boolean is false for NULL.
func (r row) boolean(column string) bool {
	v := r.raw(column)
	return len(v) == 1 && v[0] == 1
}

// optBoolean is absent for NULL.
func (r row) optBoolean(column string) model.Opt[bool] {
	if v := r.raw(column); len(v) == 1 {
		return model.Some(v[0] == 1)
	}
	return model.None[bool]()
}

func (r row) text(column string) model.Opt[model.Text] {
	if v := r.raw(column); v != nil {
		return model.Some(model.Text(v))
	}
	return model.None[model.Text]()
}

// string is "" for NULL.
func (r row) string(column string) string { return string(r.raw(column)) }

// pgEpoch is where PostgreSQL counts timestamps from.
var pgEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// time reads a timestamptz; infinity is absent.
func (r row) time(column string) model.Opt[time.Time] {
	v := r.raw(column)
	if len(v) != 8 {
		return model.None[time.Time]()
	}
	us := int64(binary.BigEndian.Uint64(v))
	if us == math.MaxInt64 || us == math.MinInt64 {
		return model.None[time.Time]()
	}
	return model.Some(time.UnixMicro(pgEpoch.UnixMicro() + us).UTC())
}

// interval reads an interval without days and months.
func (r row) interval(column string) time.Duration {
	v := r.raw(column)
	if len(v) != 16 {
		return 0
	}
	return time.Duration(binary.BigEndian.Uint64(v)) * time.Microsecond
}

// int32s reads a one-dimensional int4[] without NULLs; nil for NULL.
func (r row) int32s(column string) []int32 {
	const header, element = 20, 8 // dimensions, flags, type, length, lower bound; length and value
	v := r.raw(column)
	if v == nil {
		return nil
	}
	list := []int32{}
	if len(v) < header { // an empty array has no dimensions
		return list
	}
	for v = v[header:]; len(v) >= element; v = v[element:] {
		list = append(list, int32(binary.BigEndian.Uint32(v[4:])))
	}
	return list
}

// json returns a jsonb column as JSON text; nil for NULL.
func (r row) json(column string) []byte {
	const version = 1 // byte before the text in jsonb's binary format
	if v := r.raw(column); len(v) > 1 && v[0] == version {
		return v[1:]
	}
	return nil
}

// unmarshal reads jsonb columns into the fields beside them; NULL leaves a field.
func (r row) unmarshal(fields map[string]any) error {
	for column, field := range fields {
		if v := r.json(column); v != nil {
			if err := json.Unmarshal(v, field); err != nil {
				return fmt.Errorf("%s: %w", column, err)
			}
		}
	}
	return nil
}
