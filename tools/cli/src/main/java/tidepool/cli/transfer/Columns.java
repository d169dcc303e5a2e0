package tidepool.cli.transfer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.Field;
import tidepool.schema.KeySchema;
import tidepool.schema.Schema;

/**
 * The columns of a table: the parts of the key, then the attributes, each with its name of the schema. Where an
 * attribute has the name of a part of the key, that part has an {@code @} in front.
 */
final class Columns {
    private static final String KEY = " key";

    private final String table;
    private final List<Column> all;

    private Columns(String table, List<Column> all) {
        this.table = table;
        this.all = all;
    }

    static Columns of(Schema schema) {
        Set<String> attributes = new HashSet<>();
        for (Attribute each : schema.attributes()) attributes.add(each.name());
        List<Column> columns = new ArrayList<>();
        KeySchema key = schema.key();
        for (int part = 0; part < key.parts(); part++) {
            String name = (attributes.contains(key.name(part)) ? "@" : "") + key.name(part);
            columns.add(new Column(name, key.type(part), part, null));
        }
        for (Attribute each : schema.attributes())
            columns.add(new Column(each.name(), each.type(), -1, Field.of(each)));
        return new Columns(schema.name(), List.copyOf(columns));
    }

    List<Column> all() {
        return all;
    }

    /** Returns the column of a name; null if there is none. */
    Column find(String name) {
        for (Column each : all) if (each.name().equals(name)) return each;
        return null;
    }

    List<String> declarations() {
        return all.stream().map(Column::declaration).toList();
    }

    List<String> names() {
        return all.stream().map(Column::name).toList();
    }

    /**
     * Returns the columns in the order of a file that declares them, with or without types. Refuses a file of another
     * schema, and shows both.
     */
    List<Column> inOrderOf(List<String> declared, long line) {
        List<Column> order = new ArrayList<>();
        for (String each : declared) {
            Column column = find(name(each));
            boolean isSame = column != null
                    && !order.contains(column)
                    && (each.indexOf(':') < 0 || each.equals(column.declaration()));
            if (!isSame) throw other(declared, line, "the difference is at " + quote(each));
            order.add(column);
        }
        for (Column each : all)
            if (!order.contains(each)) throw other(declared, line, quote(each.name()) + " is missing in the file");
        return order;
    }

    private BadInputException other(List<String> declared, long line, String difference) {
        boolean typed = declared.stream().anyMatch(each -> each.indexOf(':') >= 0);
        return new BadInputException(
                line,
                1,
                "the file has other columns than table " + table + ": " + difference + "; file: "
                        + String.join(", ", declared) + "; table: "
                        + String.join(", ", typed ? declarations() : names()));
    }

    private static String quote(String text) {
        return "'" + text + "'";
    }

    private static String name(String declaration) {
        int colon = declaration.indexOf(':');
        return colon < 0 ? declaration : declaration.substring(0, colon);
    }

    /** Returns the schema of a new table for a file that declares these columns. Refuses columns without types. */
    static Schema schema(String table, List<String> declared, long line) {
        try {
            Schema.Builder builder = Schema.builder(table);
            boolean hasLongKey =
                    declared.stream().filter(each -> each.endsWith(KEY)).count() == 1;
            boolean hasKey = false;
            for (String each : declared) {
                int colon = each.indexOf(':');
                if (colon < 0)
                    throw new BadInputException(
                            line,
                            1,
                            "a table is made for columns with types, as an export writes them, and " + quote(each)
                                    + " has none");
                boolean isKey = each.endsWith(KEY);
                AttributeType type =
                        AttributeType.parse(each.substring(colon + 1, each.length() - (isKey ? KEY.length() : 0)));
                hasKey |= isKey;
                if (!isKey) builder.attribute(each.substring(0, colon), type);
                else if (!hasLongKey || !type.equals(AttributeType.LONG))
                    builder.key(each.substring(each.startsWith("@") ? 1 : 0, colon), type);
            }
            if (!hasKey) throw new BadInputException(line, 1, "no column of the file is a key");
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new BadInputException(line, 1, e.getMessage());
        }
    }
}
