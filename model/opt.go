package model

import "encoding/json"

// Opt is a value that may be absent: the server version does not have it, the
// role may not see it, or the server said NULL. The zero Opt is absent.
// In JSON an absent value is null.
type Opt[T any] struct {
	value   T
	present bool
}

// Some returns a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, present: true} }

// None returns an absent value.
func None[T any]() Opt[T] { return Opt[T]{} }

// Get returns the value and whether it is present.
func (o Opt[T]) Get() (T, bool) { return o.value, o.present }

// Known tells whether the value is present.
func (o Opt[T]) Known() bool { return o.present }

// Or returns the value, or def when it is absent.
func (o Opt[T]) Or(def T) T {
	if o.present {
		return o.value
	}
	return def
}

// MarshalJSON writes the value, or null when it is absent.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.present {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads a value; null makes it absent.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*o = Opt[T]{}
		return nil
	}
	if err := json.Unmarshal(b, &o.value); err != nil {
		return err
	}
	o.present = true
	return nil
}
