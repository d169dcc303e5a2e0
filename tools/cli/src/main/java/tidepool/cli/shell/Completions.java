package tidepool.cli.shell;

import java.util.List;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.IndexSchema;
import tidepool.store.TableLayout;

/** Completion candidates at the cursor: commands, tables, fields and keywords. */
final class Completions implements Completer {
    private static final List<String> WITH_TABLE =
            List.of("describe", "get", "rows", "scan", "put", "insert", "update", "delete", "alter");
    private static final List<String> WITH_FIELDS = List.of("put", "insert", "update");
    private static final List<String> TYPES = List.of(
            "byte",
            "short",
            "int",
            "long",
            "float",
            "double",
            "boolean",
            "char",
            "text(",
            "bytes(",
            "varstring(",
            "varbytes(",
            "instant",
            "duration",
            "date",
            "uuid",
            "decimal(");

    private final Supplier<List<TableLayout>> tables;

    Completions(Supplier<List<TableLayout>> tables) {
        this.tables = tables;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        TypedLine typed = (TypedLine) line;
        for (String each : words(typed.before())) {
            // No blank follows a candidate that ends with an open mark.
            boolean whole = !each.endsWith("=") && !each.endsWith("(");
            candidates.add(new Candidate(each, each, null, null, null, null, whole));
        }
    }

    /** Returns the words that may follow these tokens. */
    List<String> words(List<LexToken> before) {
        if (before.isEmpty()) return ShellCommands.NAMES;
        String command;
        try {
            command = ShellCommands.command(before.getFirst().text());
        } catch (StatementException e) {
            return List.of();
        }
        if (command.equals("create")) return types(before);
        if (before.size() == 1) return firstArgument(command);
        if (command.equals("alter")) return steps(before);
        if (command.equals("scan")) return scan(before);
        return WITH_FIELDS.contains(command) ? fields(before) : List.of();
    }

    /** Returns the steps of a change, then the fields that can be dropped or widened, or the types of a new one. */
    private List<String> steps(List<LexToken> before) {
        LexToken last = before.getLast();
        LexToken previous = before.get(before.size() - 2);
        if (before.size() == 2 || last.is(',')) return List.of("add", "drop", "widen");
        if (List.of("add", "widen").contains(previous.text())) return TYPES;
        TableLayout table = table(before.get(1).text());
        if (table == null || !List.of("drop", "widen").contains(last.text())) return List.of();
        return table.schema().attributes().stream().map(Attribute::name).toList();
    }

    /** Returns the words of a scan, or the indexes of its table. */
    private List<String> scan(List<LexToken> before) {
        TableLayout table = table(before.get(1).text());
        LexToken last = before.getLast();
        if (before.size() > 2 && last.text().equals("by"))
            return table == null
                    ? List.of()
                    : table.schema().indexes().stream().map(IndexSchema::name).toList();
        boolean isValue =
                List.of("of", "from", "after", "to", "through", "limit").contains(last.text());
        return isValue ? List.of() : List.of("by", "of", "from", "after", "to", "through", "reversed", "limit");
    }

    private List<String> firstArgument(String command) {
        if (WITH_TABLE.contains(command))
            return tables.get().stream().map(TableLayout::name).toList();
        return switch (command) {
            case "help" -> ShellCommands.NAMES;
            case "timing" -> List.of("on", "off");
            case "begin" -> List.of("readonly");
            default -> List.of();
        };
    }

    private List<String> fields(List<LexToken> before) {
        LexToken last = before.getLast();
        boolean inKey = before.size() == 2
                || before.stream().anyMatch(each -> each.is('('))
                        && before.stream().noneMatch(each -> each.is(')'));
        TableLayout table = table(before.get(1).text());
        if (inKey || table == null) return List.of();
        List<Attribute> attributes = table.schema().attributes();
        if (last.is('=')) {
            String field = before.get(before.size() - 2).text();
            boolean isTruth = attributes.stream()
                    .anyMatch(each -> each.name().equals(field) && each.type().equals(AttributeType.BOOLEAN));
            return isTruth ? List.of("true", "false") : List.of();
        }
        return attributes.stream()
                .map(Attribute::name)
                .filter(name -> !isGiven(name, before))
                .map(name -> name + "=")
                .toList();
    }

    private static boolean isGiven(String field, List<LexToken> before) {
        for (int i = 3; i < before.size(); i++)
            if (before.get(i).is('=') && before.get(i - 1).text().equals(field)) return true;
        return false;
    }

    /** Returns the types, which follow the name of a field. */
    private static List<String> types(List<LexToken> before) {
        if (before.size() < 4 || !before.getLast().isWord()) return List.of();
        LexToken previous = before.get(before.size() - 2);
        return previous.is('(') || previous.is(',') ? TYPES : List.of();
    }

    private TableLayout table(String name) {
        for (TableLayout each : tables.get()) if (each.name().equals(name)) return each;
        return null;
    }
}
