package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.AlterListener;
import tidepool.schema.AttributeType;
import tidepool.schema.IndexSchema;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;

/** {@code tidepool table alter}: gives a table another schema. */
@Command(
        name = "alter",
        description = {
            "Add, drop and widen attributes of a table, add and drop indexes, while programs use it; or give attributes"
                    + " other names, and enums more constants.",
            "With options of attributes, rows move to the new layout, and programs with a record class of before go on"
                    + " if it fits by the names of its attributes. An index is built from all rows, and can be scanned"
                    + " when the command ends. Without options and without a schema, an earlier change goes on that was"
                    + " interrupted.",
            "A schema is the text that describe shows. Its attributes take the places of those of the table, in"
                    + " their order, and rows keep their bytes. Programs with a record class of other names are"
                    + " refused when they open the table."
        })
final class TableAlterCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "SCHEMA",
            description = "The new schema, such as 'account(balance:long)'.")
    String schema;

    @Option(
            names = "--add",
            paramLabel = "'NAME TYPE [DEFAULT]'",
            description = "An attribute to add, such as 'level int 3', or 'level int?' with null as its default."
                    + " Can be repeated, as the others.")
    List<String> added = new ArrayList<>();

    @Option(
            names = "--drop",
            paramLabel = "'NAME [DEFAULT]'",
            description = "An attribute to drop. With a default, programs whose class has it read the default.")
    List<String> dropped = new ArrayList<>();

    @Option(
            names = "--widen",
            paramLabel = "'NAME TYPE'",
            description = "An attribute to widen, such as 'balance long' or 'owner string[80]'.")
    List<String> widened = new ArrayList<>();

    @Option(
            names = "--add-index",
            paramLabel = "NAME=COLUMN,...",
            description =
                    "An index to add, such as by_owner=owner,balance. Columns are attributes, or parts of the key.")
    List<String> addedIndexes = new ArrayList<>();

    @Option(
            names = "--add-unique",
            paramLabel = "NAME=COLUMN,...",
            description = "An index to add in which no two rows have the same values. If two have, it is not added.")
    List<String> addedUniques = new ArrayList<>();

    @Option(
            names = "--add-order",
            description = "Add the index 'primary', which has the rows in the order of their keys.")
    boolean hasOrder;

    @Option(names = "--drop-index", paramLabel = "NAME", description = "An index to drop.")
    List<String> droppedIndexes = new ArrayList<>();

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        SchemaChange change = change();
        boolean hasIndexOptions =
                hasOrder || !addedIndexes.isEmpty() || !addedUniques.isEmpty() || !droppedIndexes.isEmpty();
        boolean hasOptions = hasIndexOptions || !added.isEmpty() || !dropped.isEmpty() || !widened.isEmpty();
        if (schema != null && hasOptions) throw new UserError("a change is a schema or options, not both");
        Shown shown = new Shown(spec);
        String indexes = TablePlace.in(url, pool -> {
            if (schema != null) pool.alter(table, Schema.parse(schema));
            else pool.alter(table, change, shown);
            return hasIndexOptions ? " indexes=" + indexes(pool.table(table).schema()) : "";
        });
        shown.line.clear();
        spec.commandLine()
                .getOut()
                .println("table " + table + " is altered" + (schema == null ? ": moved=" + shown.moved : "") + indexes);
        return 0;
    }

    /** The progress line. */
    private static final class Shown implements AlterListener {
        final TableFile line;
        long moved;

        Shown(CommandSpec spec) {
            line = new TableFile(new LiveLine(spec.commandLine().getErr()));
        }

        @Override
        public void moved(long rows, double part) {
            moved = rows;
            line.progress("moved", rows, part);
        }

        @Override
        public void entered(String index, long rows, double part) {
            line.progress("index " + index + ": entered", rows, part);
        }
    }

    private static String indexes(Schema schema) {
        if (!schema.isIndexed()) return "none";
        return schema.indexes().stream().map(IndexSchema::name).collect(Collectors.joining(","));
    }

    private SchemaChange change() {
        SchemaChange change = new SchemaChange();
        for (String each : widened) {
            String[] words = words("--widen", each, 2, 2);
            change.widen(words[0], AttributeType.parse(words[1]));
        }
        for (String each : dropped) {
            String[] words = words("--drop", each, 1, 2);
            if (words.length == 1) change.drop(words[0]);
            else change.drop(words[0], words[1]);
        }
        for (String each : added) {
            String[] words = words("--add", each, 2, 3);
            AttributeType type = AttributeType.parse(words[1]);
            if (words.length == 2) change.add(words[0], type);
            else change.add(words[0], type, words[2]);
        }
        indexes(change);
        return change;
    }

    private void indexes(SchemaChange change) {
        for (String each : droppedIndexes) change.dropIndex(each);
        if (hasOrder) change.addOrder();
        try {
            for (String each : addedIndexes) change.addIndex(name("--add-index", each), columns(each));
            for (String each : addedUniques) change.addUnique(name("--add-unique", each), columns(each));
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage(), 2);
        }
    }

    private static String name(String option, String text) {
        int end = text.indexOf('=');
        if (end > 0 && end < text.length() - 1) return text.substring(0, end).strip();
        throw new UserError(option + " takes NAME=COLUMN,..., as in by_owner=owner,balance, not '" + text + "'");
    }

    private static String[] columns(String text) {
        return text.substring(text.indexOf('=') + 1).strip().split("\\s*,\\s*", -1);
    }

    /** The last word may have blanks in it, or be empty in quotation marks. */
    private static String[] words(String option, String text, int least, int most) {
        String[] words = text.strip().split("\\s+", most);
        if (words.length < least)
            throw new UserError(option + " takes " + least + (most > least ? " or " + most : "") + " words, as in "
                    + (option.equals("--add") ? "'level int 3'" : option.equals("--drop") ? "'note 0'" : "'count long'")
                    + ", not '" + text + "'");
        if (words.length == most && words[most - 1].equals("''")) words[most - 1] = "";
        return words;
    }
}
