package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.schema.Key;
import tidepool.store.StoreException;

/**
 * A program that asks for another shape of a pool or table than the existing one gets an error, and does not run on
 * less.
 */
class AskedGeometryTest {
    private static final String SHAPE = "nodes=3&replicas=2&partitions=3&memory=1m&coordinators=32&log=32k";

    /** One row of the table. */
    record Item(@Key long id, long count) {}

    @TempDir
    Path folder;

    private String url;

    @BeforeEach
    void make() {
        url = "shm:" + folder.resolve("pool");
        try (Tidepool pool = Tidepool.open(url + "?" + SHAPE)) {
            Table<Item> items = pool.table("items", Item.class, 500);
            pool.transact(tx -> items.put(tx, new Item(1, 7)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "replicas, 3, 2",
        "partitions, 6, 3",
        "coordinators, 64, 32",
        "log, 64k, 32768",
    })
    void aPoolOfAnotherShapeIsRefusedByNameAndValue(String name, String asked, String made) {
        StoreException refused =
                assertThrows(StoreException.class, () -> Tidepool.open(url + "?" + name + "=" + asked));
        String message = refused.getMessage();
        assertTrue(message.startsWith("this pool was made with " + name + "=" + made + ", not with "), message);
        assertStillThere(url);
    }

    @Test
    void moreMemoryThanThePoolHasIsRefused() {
        StoreException refused = assertThrows(StoreException.class, () -> Tidepool.open(url + "?memory=2m"));
        assertEquals(
                "this pool has memory=1048576, not 2097152; leave it out of the URL, or make the pool larger by"
                        + " ./tidepool pool grow URL --memory 2097152",
                refused.getMessage());
        assertStillThere(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "?replicas=2", "?memory=512k", "?memory=1m&coordinators=32", "?partitions=0", "?" + SHAPE})
    void theSameShapeOrNoneIsTaken(String parameters) {
        assertStillThere(url + parameters);
    }

    @Test
    void aTableOfAnotherSizeIsRefusedAndOneWithoutASizeIsTaken() {
        try (Tidepool pool = Tidepool.open(url)) {
            for (int again = 0; again < 2; again++) {
                String message = assertThrows(StoreException.class, () -> pool.table("items", Item.class, 5000))
                        .getMessage();
                assertTrue(message.startsWith("table items has room for "), message);
                pool.table("items", Item.class, 500);
                pool.table("items", Item.class); // from here on this process knows the table
            }
        }
        assertStillThere(url);
    }

    private static void assertStillThere(String url) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Item> items = pool.table("items", Item.class);
            assertEquals(7, pool.read(tx -> items.get(tx, 1)).count());
        }
    }
}
