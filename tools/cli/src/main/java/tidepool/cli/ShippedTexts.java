package tidepool.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Texts of the distribution that come from the commands: a manual page for each, and the sample settings of a node. */
public final class ShippedTexts {
    /** Columns of a terminal, without the indent that {@code man} adds. */
    private static final int COLUMNS = 72;

    private ShippedTexts() {}

    /** Returns the version, such as {@code 0.1.0}. */
    public static String version() {
        return Version.number();
    }

    /** Returns the pages by name, such as {@code tidepool-node.1}, in the format of {@code man}. */
    public static Map<String, String> manualPages() {
        Map<String, String> pages = new TreeMap<>();
        CommandLine root = Distribution.restrict(Main.commandLine());
        addPages(root.setUsageHelpAutoWidth(false).setUsageHelpWidth(COLUMNS), pages);
        return pages;
    }

    /** Returns the settings of {@code tidepool node} with their comments and default values. */
    public static String nodeSettings() {
        StringWriter out = new StringWriter();
        int exitCode = Main.commandLine().setOut(new PrintWriter(out)).execute("node", "--print-config");
        if (exitCode != 0) throw new IllegalStateException("node --print-config ended with code " + exitCode);
        return out.toString();
    }

    private static void addPages(CommandLine command, Map<String, String> pages) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        if (usage.hidden()) return;
        String name = command.getCommandSpec().qualifiedName("-");
        pages.put(name + ".1", page(name, command));
        command.getSubcommands().values().forEach(each -> addPages(each, pages));
    }

    private static String page(String name, CommandLine command) {
        Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        StringBuilder page = new StringBuilder();
        page.append(".TH \"").append(name.toUpperCase(Locale.ROOT)).append("\" 1 \"\" \"tidepool ");
        page.append(Version.text()).append("\" \"Tidepool\"\n");
        String first = usage.description().length == 0 ? "" : usage.description()[0];
        page.append(".SH NAME\n").append(text(name + " - " + first + "\n"));
        section(page, "SYNOPSIS", help.synopsis(0));
        section(page, "DESCRIPTION", help.description());
        section(page, "ARGUMENTS", help.parameterList());
        section(page, "OPTIONS", help.optionList());
        section(page, "COMMANDS", help.commandList());
        section(page, "NOTES", help.footer().stripLeading());
        return page.toString();
    }

    /** Lines stay as picocli has laid them out. */
    private static void section(StringBuilder page, String title, String lines) {
        if (lines.isBlank()) return;
        page.append(".SH ")
                .append(title)
                .append("\n.nf\n")
                .append(text(lines.stripTrailing() + "\n"))
                .append(".fi\n");
    }

    /** Escapes text that {@code man} would take for a request. An unescaped hyphen would be shown as a dash. */
    private static String text(String lines) {
        return lines.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
