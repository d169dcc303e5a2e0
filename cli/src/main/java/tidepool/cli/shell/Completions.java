package tidepool.cli.shell;

import java.util.List;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import tidepool.store.TableInfo;
import tidepool.store.schema.Attribute;
import tidepool.store.schema.Type;

/** What may stand where the cursor is: commands, tables, fields, and the few other words there are. */
final class Completions implements Completer {
    private static final List<String> WITH_TABLE = List.of("describe", "get", "put", "insert", "update", "delete");
    private static final List<String> WITH_FIELDS = List.of("put", "insert", "update");
    private static final List<String> TYPES =
            List.of("byte", "short", "int", "long", "float", "double", "boolean", "char", "text(", "bytes(");

    private final Supplier<List<TableInfo>> tables;

    Completions(Supplier<List<TableInfo>> tables) {
        this.tables = tables;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        TypedLine typed = (TypedLine) line;
        for (String each : words(typed.before())) {
            // Behind an open end goes no blank.
            boolean whole = !each.endsWith("=") && !each.endsWith("(");
            candidates.add(new Candidate(each, each, null, null, null, null, whole));
        }
    }

    /** The words that may follow these tokens. */
    List<String> words(List<Token> before) {
        if (before.isEmpty()) return Words.NAMES;
        String command;
        try {
            command = Words.command(before.getFirst().text());
        } catch (Refused e) {
            return List.of();
        }
        if (command.equals("create")) return types(before);
        if (before.size() == 1) return firstArgument(command);
        return WITH_FIELDS.contains(command) ? fields(before) : List.of();
    }

    private List<String> firstArgument(String command) {
        if (WITH_TABLE.contains(command))
            return tables.get().stream().map(TableInfo::name).toList();
        return switch (command) {
            case "help" -> Words.NAMES;
            case "timing" -> List.of("on", "off");
            case "begin" -> List.of("readonly");
            default -> List.of();
        };
    }

    private List<String> fields(List<Token> before) {
        Token last = before.getLast();
        boolean inKey = before.size() == 2
                || before.stream().anyMatch(each -> each.is('('))
                        && before.stream().noneMatch(each -> each.is(')'));
        TableInfo table = table(before.get(1).text());
        if (inKey || table == null) return List.of();
        List<Attribute> attributes = table.schema().attributes();
        if (last.is('=')) {
            String field = before.get(before.size() - 2).text();
            boolean isTruth = attributes.stream()
                    .anyMatch(each -> each.name().equals(field) && each.type().equals(Type.BOOLEAN));
            return isTruth ? List.of("true", "false") : List.of();
        }
        return attributes.stream()
                .map(Attribute::name)
                .filter(name -> !isGiven(name, before))
                .map(name -> name + "=")
                .toList();
    }

    private static boolean isGiven(String field, List<Token> before) {
        for (int i = 3; i < before.size(); i++)
            if (before.get(i).is('=') && before.get(i - 1).text().equals(field)) return true;
        return false;
    }

    /** Behind the name of a field, its type. */
    private static List<String> types(List<Token> before) {
        if (before.size() < 4 || !before.getLast().isWord()) return List.of();
        Token previous = before.get(before.size() - 2);
        return previous.is('(') || previous.is(',') ? TYPES : List.of();
    }

    private TableInfo table(String name) {
        for (TableInfo each : tables.get()) if (each.name().equals(name)) return each;
        return null;
    }
}
