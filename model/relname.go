package model

import "errors"

// ParseRelationName reads a relation's name as a person writes it in SQL: unquoted
// parts are folded to lower case, quoted ones are kept, a dot stands between schema
// and table. The schema is absent when it is not given.
func ParseRelationName(s string) (schema Opt[Text], name Text, err error) {
	words := lex(s)
	for i, w := range words {
		isDot := w.sign && w.text == "."
		if w.bad || isDot != (i%2 == 1) || w.sign && !isDot {
			return schema, "", errors.New(`it is not a name; one with other signs than letters, digits and _ stands in double quotes, as "My Table"`)
		}
	}
	switch len(words) {
	case 1:
		return schema, Text(words[0].text), nil
	case 3:
		return Some(Text(words[0].text)), Text(words[2].text), nil
	}
	return schema, "", errors.New("it is not of the form TABLE or SCHEMA.TABLE")
}
