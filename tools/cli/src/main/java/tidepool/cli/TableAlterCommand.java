package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;

/** {@code tidepool table alter}: gives a table another schema. */
@Command(
        name = "alter",
        description = {
            "Add, drop and widen attributes of a table, while programs use it; or give attributes other names, and"
                    + " enums more constants.",
            "With options, rows move to the new layout, and programs with a record class of before go on if it fits by"
                    + " the names of its attributes. Without options and without a schema, an earlier change goes on"
                    + " that was interrupted.",
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

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        SchemaChange change = change();
        boolean hasOptions = !added.isEmpty() || !dropped.isEmpty() || !widened.isEmpty();
        if (schema != null && hasOptions) throw new UserError("a change is a schema or options, not both");
        long[] moved = new long[1];
        TablePlace.in(url, pool -> {
            if (schema != null) pool.alter(table, Schema.parse(schema));
            else pool.alter(table, change, rows -> moved[0] = rows);
            return null;
        });
        spec.commandLine()
                .getOut()
                .println("table " + table + " is altered" + (schema == null ? ": moved=" + moved[0] : ""));
        return 0;
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
        return change;
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
