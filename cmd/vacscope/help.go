package main

import (
	"embed"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// topicFiles are the texts behind vacscope help TOPIC, one file each; its first
// line is "# " and the title.
//
//go:embed help/*.md
var topicFiles embed.FS

// newHelpCommand is help for commands and for topics. A topic with the name of a
// command follows the command's help.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND or TOPIC]",
		Short:             "Help about a command or a topic",
		ValidArgsFunction: completeHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			if len(args) == 0 {
				return root.Help()
			}
			command, _, err := root.Find(args)
			isCommand := err == nil && command != root
			text, isTopic := topic(args[0])
			if isCommand {
				if err := command.Help(); err != nil {
					return err
				}
			}
			if isTopic {
				return writeTopic(out, text, isCommand)
			}
			if !isCommand {
				return usageErrorf("no command or topic is called %q; topics are %s", args[0], strings.Join(topicNames(), ", "))
			}
			return nil
		},
	}
}

func writeTopic(w io.Writer, text string, follows bool) error {
	if follows {
		text = "\n" + text
	}
	_, err := io.WriteString(w, text)
	return err
}

// madeTopics are the topics that are made from the code.
var madeTopics = map[string]func() string{"statements": statementsText, "verdicts": verdictsText, "numbers": numbersText, "keys": keysText}

// topic is the text of a topic.
func topic(name string) (text string, found bool) {
	if text, made := madeTopics[name]; made {
		return text(), true
	}
	b, err := topicFiles.ReadFile(path.Join("help", name+".md"))
	return string(b), err == nil
}

// topicNames are the names of the topics, sorted.
func topicNames() []string {
	files, _ := topicFiles.ReadDir("help") // cannot fail: it is in the binary
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".md")
	}
	for name := range madeTopics {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// topicList is the topics with their titles, for the root's help.
func topicList() string {
	var b strings.Builder
	for _, name := range topicNames() {
		text, _ := topic(name)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		fmt.Fprintf(&b, "  %-12s%s\n", name, title)
	}
	return b.String()
}

func completeHelp(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := topicNames()
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names) // a topic can have a command's name
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}
