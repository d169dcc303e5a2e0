package tidepool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.RecordsOfTypes.Line;
import tidepool.testkit.AllocationTable;

/**
 * The tables of {@code docs/guide/types.md} with what a whole transaction of the typed API allocates at most, by the
 * type of the component, and by the type of the key.
 */
class TransactionAllocationTest {
    private static final String COLUMNS =
            " | a transaction with a put allocates | a transaction with a get allocates |\n" + "| --- | --- | --- |\n";

    private static Object sink;

    @Test
    void tablesAreWhatIsMeasured() throws Exception {
        AllocationTable.check(
                "docs/guide/types.md", TransactionAllocationTest.class, "| component" + COLUMNS, "| key" + COLUMNS);
    }

    public static void main(String[] arguments) {
        print(RecordsOfTypes.components());
        System.out.println();
        print(RecordsOfTypes.keys());
    }

    /** Prints a row for each pair of figures. */
    private static void print(List<Line<?>> lines) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (Line<?> line : lines)
            names.computeIfAbsent(figures(line), figures -> new ArrayList<>()).add(line.name());
        names.forEach((figures, alike) -> System.out.println("| " + String.join("; ", alike) + figures));
    }

    private static <T extends Record> String figures(Line<T> line) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m")) {
            Table<T> table = pool.table("t", line.type(), 100);
            TransactionBody<RuntimeException> puts = tx -> table.put(tx, line.record());
            TransactionFunction<T, RuntimeException> gets = tx -> line.get().apply(table, tx);
            long putting = AllocationTable.perCall(() -> pool.transact(puts));
            long getting = AllocationTable.perCall(() -> sink = pool.read(gets));
            return " | " + putting + " | " + getting + " |";
        }
    }
}
