package io.rollscope.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Complaints about the call in our form: {@code what: value (expected: …)}. */
final class UsageErrors {
  private UsageErrors() {}

  static String explain(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched().get(0), command);
    }
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      ArgSpec first = missing.getMissing().get(0);
      return line(nameOf(first), "missing", meaningOf(first));
    }
    if (e instanceof OverwrittenOptionException twice) {
      return line(nameOf(twice.getOverwritten()), "given twice", "once");
    }
    if (e.getArgSpec() != null && e.getValue() != null) {
      return line(nameOf(e.getArgSpec()), e.getValue(), kindOf(e.getArgSpec()));
    }
    String text = e.getMessage();
    return text.contains("(expected:") ? text : line("call", text, helpOf(command));
  }

  /** No command was given. */
  static ParameterException noCommand(CommandLine root) {
    return new ParameterException(root, line("command", "none", commandsOf(root)));
  }

  private static String unmatched(String argument, CommandLine command) {
    boolean commandMeant = !argument.startsWith("-") && !command.getSubcommands().isEmpty();
    return commandMeant
        ? line("command", argument, commandsOf(command))
        : line("argument", argument, helpOf(command));
  }

  private static String commandsOf(CommandLine command) {
    return String.join(", ", command.getSubcommands().keySet()) + "; --help says more";
  }

  private static String helpOf(CommandLine command) {
    return "what " + command.getCommandSpec().qualifiedName() + " --help lists";
  }

  private static String nameOf(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  /** The first sentence of its description. */
  private static String meaningOf(ArgSpec arg) {
    String text = String.join(" ", arg.description()).replaceAll("\\.$", "");
    return text.isEmpty()
        ? "a value"
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private static String kindOf(ArgSpec arg) {
    Class<?> type = arg.type();
    if (type.isEnum()) {
      String words =
          Arrays.stream(type.getEnumConstants())
              .map(c -> c.toString().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
      int last = words.lastIndexOf(", ");
      return last < 0 ? words : words.substring(0, last) + " or " + words.substring(last + 2);
    }
    if (type == Double.class || type == double.class) {
      return "a number";
    }
    boolean whole =
        type == Integer.class || type == int.class || type == Long.class || type == long.class;
    return whole ? "a whole number" : meaningOf(arg);
  }

  private static String line(String what, Object value, String expected) {
    return what + ": " + value + " (expected: " + expected + ")";
  }
}
