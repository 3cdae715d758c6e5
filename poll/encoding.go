package poll

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"example.com/vacscope/model"
)

// charset is the encoding that a server calls by a name, as in its parameter
// server_encoding; nil for UTF8, for bytes without one, and for those not known.
func charset(name string) encoding.Encoding {
	switch name {
	case "EUC_JP":
		return japanese.EUCJP
	case "EUC_KR":
		return korean.EUCKR
	case "EUC_CN":
		return simplifiedchinese.GBK // which contains it
	case "LATIN1":
		return charmap.ISO8859_1
	case "LATIN2":
		return charmap.ISO8859_2
	case "LATIN5":
		return charmap.ISO8859_9
	case "LATIN9":
		return charmap.ISO8859_15
	case "ISO_8859_5":
		return charmap.ISO8859_5
	case "KOI8R":
		return charmap.KOI8R
	case "WIN1250":
		return charmap.Windows1250
	case "WIN1251":
		return charmap.Windows1251
	case "WIN1252":
		return charmap.Windows1252
	}
	return nil
}

// decodeOwn turns the texts of the connected database's own sessions into UTF-8,
// where the statement that read them took them as the server holds them.
func (s *session) decodeOwn(processes []model.Process) {
	own := charset(s.conn.ParameterStatus("server_encoding"))
	if own == nil || !s.raw[s.statements.activity] {
		return
	}
	for i := range processes {
		p := &processes[i]
		query, known := p.Query.Get()
		if !known || p.DatID.Or(0) != s.server.DatID {
			continue
		}
		if text, err := own.NewDecoder().String(string(query)); err == nil {
			p.Query = model.Some(model.Text(text))
		}
	}
}
