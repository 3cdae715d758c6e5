package report

import (
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// matters tells whether a setting is one of the conditions of a run: it differs from
// its default, and is not one of clients, locale, paths or logs.
func matters(s model.Setting) bool {
	if s.Source == "default" || s.Source == "override" || s.Source == "client" || s.Source == "session" {
		return false
	}
	name := strings.ToLower(s.Name)
	if slices.Contains(besides, name) {
		return false
	}
	for _, part := range []string{"_file", "_directory", "_directories", "_path", "_command"} {
		if strings.HasSuffix(name, part) {
			return false
		}
	}
	for _, begin := range []string{"lc_", "client_", "log_", "ssl_", "krb_", "unix_socket_", "recovery_target", "primary_"} {
		if strings.HasPrefix(name, begin) {
			return false
		}
	}
	return true
}

// besides are settings that say nothing of how a server works.
var besides = []string{
	"application_name", "cluster_name", "datestyle", "default_text_search_config", "dynamic_library_path", "external_pid_file",
	"hba_file", "ident_file", "intervalstyle", "listen_addresses", "logging_collector", "port", "search_path", "timezone", "timezone_abbreviations",
}
