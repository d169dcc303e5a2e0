package tidepool;

import java.util.List;
import tidepool.schema.ContentField;
import tidepool.schema.RowKey;
import tidepool.store.ContentParts;
import tidepool.store.TableLayout;

/** The long attributes of a table, and the hidden tables that have the parts of their contents. */
final class ContentTables {
    private final TableLayout table;
    private final List<ContentField> fields;
    private final TableLayout small;
    private final TableLayout large; // null if no content is so long

    /** @param hidden the tables that {@link ContentParts#namesOf} names, in its order */
    ContentTables(TableLayout table, List<TableLayout> hidden) {
        this.table = table;
        this.fields = table.schema().contents();
        this.small = hidden.isEmpty() ? null : hidden.getFirst();
        this.large = hidden.size() < 2 ? null : hidden.get(1);
    }

    TableLayout table() {
        return table;
    }

    List<ContentField> fields() {
        return fields;
    }

    /** Returns the table that has the i-th part of a content. */
    TableLayout of(int length, int i) {
        return ContentParts.isLarge(length, i) ? large : small;
    }

    /** Returns the key of a part, in a new object. */
    RowKey key(long writer, int number) {
        RowKey key = small.schema().key().newKey();
        key.setLong(0, writer);
        key.setLong(1, number);
        return key;
    }
}
