package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;

/**
 * The parts of the catalog follow each other without a gap, and lie where they have always been: pools that
 * were made by another program are read at these places.
 */
class CatalogLayoutTest {
    /** A part of the catalog, and where the next one begins. */
    private record Part(String name, long offset, long end) {
        static Part words(String name, long offset, long count) {
            return new Part(name, offset, offset + count * Words.BYTES);
        }
    }

    @Test
    void everyPartLiesInItsPlace() {
        List<Part> parts = List.of(
                new Part("header", CatalogLayout.MAGIC_AT, CatalogLayout.HEADER.byteSize()),
                Part.words("coordinators", CatalogLayout.coordinator(0), CatalogLayout.COORDINATORS),
                Part.words("outcomes", CatalogLayout.outcome(0), 2 * CatalogLayout.OUTCOMES),
                Part.words("regions", CatalogLayout.LOG_REGION, CatalogLayout.REGIONS),
                Part.words("how versions are cached", CatalogLayout.VCACHE_KIND, 1),
                Part.words("where versions are cached", CatalogLayout.VCACHE_REGION, 1),
                Part.words("timestamp", CatalogLayout.TIMESTAMP, 1),
                Part.words("lives", CatalogLayout.life(0), CatalogLayout.LIVES_COUNT * CatalogLayout.LIFE_WORDS),
                Part.words("blocks of the log heap", CatalogLayout.LOG_HEAP_BLOCKS, 1),
                new Part("change of tables", CatalogLayout.CHANGE, CatalogLayout.CHANGE + CatalogLayout.CHANGE_BYTES),
                new Part("tables", CatalogLayout.table(0), CatalogLayout.table(CatalogLayout.TABLES)));

        List<Long> offsets =
                List.of(0L, 152L, 8344L, 24_728L, 57_504L, 57_512L, 57_520L, 57_528L, 59_064L, 59_072L, 65_536L);
        assertEquals(offsets, parts.stream().map(Part::offset).toList());
        for (int i = 0; i + 1 < parts.size(); i++)
            assertEquals(parts.get(i).end, parts.get(i + 1).offset, parts.get(i) + " and what follows it");
        assertEquals(CatalogLayout.BYTES, parts.getLast().end);
        assertEquals(327_680, CatalogLayout.BYTES);
    }

    @Test
    void theRecordOfAChangeHasRoomForATableAndItsHiddenOnes() {
        assertEquals(CatalogLayout.CHANGE + 64, CatalogLayout.HIDDEN_ENTRY);
        assertEquals(
                CatalogLayout.HIDDEN_ENTRY + CatalogLayout.HIDDEN * (long) CatalogLayout.HIDDEN_BYTES,
                CatalogLayout.CHANGED_ENTRY);
        assertEquals(CatalogLayout.CHANGED_ENTRY + CatalogLayout.TABLE_BYTES, CatalogLayout.table(0));
    }

    @Test
    void wordsOfOneKindFollowEachOther() {
        assertEquals(CatalogLayout.coordinator(0) + 8, CatalogLayout.coordinator(1));
        assertEquals(CatalogLayout.outcome(0) + 16, CatalogLayout.outcome(1));
        assertEquals(CatalogLayout.outcome(3), CatalogLayout.outcome(CatalogLayout.OUTCOMES + 3));
        assertEquals(CatalogLayout.LOG_REGION + 8, CatalogLayout.partitionRegion(0));
        assertEquals(CatalogLayout.partitionRegion(0) + 8, CatalogLayout.partitionRegion(1));
        assertEquals(CatalogLayout.life(0) + 24, CatalogLayout.life(1));
        assertEquals(CatalogLayout.table(0) + 4096, CatalogLayout.table(1));
    }
}
