package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tidepool.protocol.Protocols;
import tidepool.schema.Schema;

/** Tests of the number of versions that a table gets. */
class MotorOptionsTest {
    private static final Schema SCHEMA = Schema.parse("account(balance:long)");

    private static int versions(String protocol, Schema schema) {
        return Protocols.named(protocol).rows(schema).versions();
    }

    @Test
    void whoAsksForVersionsGetsThemAndOtherwiseTheTableSaysHowMany() {
        assertEquals(4, versions("motor", SCHEMA));
        assertEquals(4, versions("motor", SCHEMA.withUpdates("1 balance")));
        assertEquals(3, versions("motor", SCHEMA.withVersions(3)));
        assertEquals(3, versions("motor", SCHEMA.withVersions(3).withUpdates("1 balance")));
        assertEquals(3, versions("motor", SCHEMA.withUpdates("never").withVersions(3)));
        assertEquals(7, versions("motor?versions=7", SCHEMA.withVersions(3)));
        assertEquals(7, versions("motor?versions=7", SCHEMA.withUpdates("never")));
        assertEquals(2, versions("motor", SCHEMA.withVersions(1)), "the least");
        assertEquals(15, versions("motor", SCHEMA.withVersions(99)), "the most");
    }

    /** A row is inserted and deleted. The next row in that slot begins anew. */
    @Test
    void rowsThatOnlyComeAndGoHaveTwo() {
        assertEquals(2, versions("motor", SCHEMA.withUpdates("never")));
    }

    @Test
    void otherNumbersAreRefused() {
        for (String versions : new String[] {"0", "1", "16"})
            assertThrows(IllegalArgumentException.class, () -> Protocols.named("motor?versions=" + versions));
        assertThrows(IllegalArgumentException.class, () -> MotorOptions.DEFAULT.withVersions(1));
        assertThrows(IllegalArgumentException.class, () -> MotorOptions.DEFAULT.withVersions(16));
        assertThrows(IllegalArgumentException.class, () -> SCHEMA.withVersions(0));
    }
}
