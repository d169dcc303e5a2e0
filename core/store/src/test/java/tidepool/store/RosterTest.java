package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RosterTest {
    private static final Roster ROSTER = new Roster(
            7,
            true,
            List.of(new Roster.Member("10.0.0.1:7070", "a#1"), new Roster.Member("10.0.0.2:7070", "b#2")),
            List.of(new Roster.Copies(List.of(0, 1), List.of()), new Roster.Copies(List.of(1), List.of(0))));

    @Test
    void isReadAsItWasWritten() {
        assertEquals("""
                tidepool-roster 1
                epoch 7 steady
                member 0 10.0.0.1:7070 a#1
                member 1 10.0.0.2:7070 b#2
                partition 0 0 1
                partition 1 1 0+
                """, ROSTER.text());
        assertEquals(ROSTER, Roster.parse(ROSTER.text()));
        assertEquals(1, ROSTER.position("b#2"));
        assertEquals(-1, ROSTER.position("b"));
        assertTrue(ROSTER.isFilling());
        assertFalse(new Roster(1, false, ROSTER.members(), List.of()).isFilling());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tidepool-roster 2\nepoch 7 steady\nmember 0 a:1 a#1\n",
                "tidepool-roster 1\nepoch 7\nmember 0 a:1 a#1\n",
                "tidepool-roster 1\nepoch 7 calm\nmember 0 a:1 a#1\n",
                "tidepool-roster 1\nepoch 0 steady\nmember 0 a:1 a#1\n",
                "tidepool-roster 1\nepoch 7 steady\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 1 a:1 a#1\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1 a#1\npartition 0 1\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1 a#1\npartition 0 0+\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1 a#1\npartition 0 0 0\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1 a#1\npartition 1 0\n",
                "tidepool-roster 1\nepoch 7 steady\nmember 0 a:1 a#1\nguest 0 0\n",
            })
    void refusesWhatIsNoRoster(String text) {
        StoreException e = assertThrows(StoreException.class, () -> Roster.parse(text));
        assertEquals(StoreException.Reason.CORRUPT, e.reason());
    }
}
