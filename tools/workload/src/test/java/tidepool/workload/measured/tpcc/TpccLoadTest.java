package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tidepool.base.Checksum64;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.Workloads;

/** The first rows are those of clause 4.3.3.1. */
class TpccLoadTest {
    /** Keeps checksums of all rows. */
    private static final class Rows implements RowSink {
        private final List<TableSpec> tables;
        private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
        private final List<Map<Long, Long>> sums = new ArrayList<>();
        final int[] counts;
        private int table = -1;
        private long key;

        Rows(MeasuredWorkload workload, int shares) {
            tables = workload.tables();
            counts = new int[tables.size()];
            for (int i = 0; i < tables.size(); i++) sums.add(new TreeMap<>());
            for (int share = 0; share < shares; share++) workload.load(this, share, shares);
            end();
        }

        @Override
        public long row(int newTable, long newKey) {
            end();
            table = newTable;
            key = newKey;
            memory.fill((byte) 0);
            return 0;
        }

        private void end() {
            if (table < 0) return;
            int length = tables.get(table).schema().length();
            counts[table]++;
            Long before = sums.get(table).put(key, Checksum64.of(memory, 0, length, key));
            assertNull(before, "two rows of table " + table + " have the key " + key);
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }
    }

    @Test
    void sharesMakeNoDifference() {
        MeasuredWorkload workload = Workloads.named("tpcc?warehouses=2&customers=50&items=100", Scale.SPEC);
        Rows one = new Rows(workload, 1);
        Rows three = new Rows(workload, 3);

        assertEquals(one.sums, three.sums);
    }

    @Test
    void oneWarehouseOfTheSpecification() {
        int[] counts = new Rows(Workloads.named("tpcc?warehouses=1", Scale.SPEC), 1).counts;

        int lines = counts[TpccTables.ORDER_LINE];
        assertTrue(lines > 295_000 && lines < 305_000, "order lines: " + lines);
        counts[TpccTables.ORDER_LINE] = 0;
        assertArrayEquals(new int[] {1, 10, 30_000, 30_000, 9_000, 30_000, 0, 100_000, 100_000}, counts);
    }

    @Test
    void warehousesOfThePaper() {
        int[] counts = new Rows(Workloads.named("tpcc?warehouses=2", Scale.PAPER), 1).counts;

        counts[TpccTables.ORDER_LINE] = 0;
        assertArrayEquals(new int[] {2, 20, 6_000, 6_000, 1_800, 6_000, 0, 10_000, 20_000, 6_000, 6_000, 20}, counts);
    }

    /** A last name selects the customer in the middle by first name. */
    @Test
    void namesakesAreOrderedByFirstName() {
        TpccSize size = new TpccSize(1, 2_000, 100, 60, 1, 1, false);
        Map<Integer, String> first = new TreeMap<>();
        Map<Integer, String> last = new TreeMap<>();
        int[] named = new int[1];
        MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
        RowSink rows = new RowSink() {
            private int table = -1;
            private long key;

            @Override
            public long row(int newTable, long newKey) {
                if (table == TpccTables.CUSTOMER) {
                    first.put((int) (key & 0xfff), text("first"));
                    last.put((int) (key & 0xfff), text("last"));
                }
                if (table == TpccTables.NAMESAKES) checkNamesakes((int) (key & 0x3ff));
                if (newTable == TpccTables.STOCK && table != newTable) {
                    first.clear(); // the next district
                    last.clear();
                }
                table = newTable;
                key = newKey;
                memory.fill((byte) 0);
                return 0;
            }

            private String text(String name) {
                return CustomerTables.CUSTOMER.stringField(name).get(memory, 0);
            }

            private void checkNamesakes(int name) {
                String before = "";
                for (int i = 0; i < CustomerTables.N_COUNT.get(memory, 0); i++) {
                    int customer = CustomerTables.namesake(memory, 0, i);
                    assertEquals(Texts.lastName(name), last.get(customer));
                    assertTrue(
                            before.compareTo(first.get(customer)) <= 0, before + " is before " + first.get(customer));
                    before = first.get(customer);
                    named[0]++;
                }
                int middle = (CustomerTables.N_COUNT.get(memory, 0) + 1) / 2 - 1;
                assertEquals(CustomerTables.namesake(memory, 0, middle), TpccTransaction.middle(memory, 0));
            }

            @Override
            public MemorySegment memory() {
                return memory;
            }
        };
        new TpccLoad(size, rows).load(0, 1);

        assertEquals(10 * 2_000, named[0]);
    }

    @Test
    void lastNamesAreMadeOfSyllables() {
        assertEquals("BARBARBAR", Texts.lastName(0));
        assertEquals("PRICALLYOUGHT", Texts.lastName(371)); // the example of clause 4.3.2.3
        assertEquals("EINGEINGEING", Texts.lastName(999));
    }
}
