package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The update profile is given with a schema, and changes nothing about it. */
class UpdateProfileTest {
    private static final Schema ACCOUNT = Schema.parse("account(owner:string[16], balance:long, limit:int)");

    @Updated("9 balance, 1 balance+owner")
    private record Account(
            @Key long id, long balance, @Length(16) String owner) {}

    @Test
    void textIsReadAndPrinted() {
        UpdateProfile updates = UpdateProfile.parse(ACCOUNT, " 90 balance,10  balance + owner , 3 -");

        assertEquals(
                List.of(
                        new UpdateProfile.Kind(0b010, 90),
                        new UpdateProfile.Kind(0b011, 10),
                        new UpdateProfile.Kind(0, 3)),
                updates.kinds());
        assertEquals(103, updates.weight());
        assertEquals(Map.of(8L, 90L, 24L, 10L, 0L, 3L), updates.bySize(ACCOUNT));
        assertEquals("90 balance, 10 owner+balance, 3 -", updates.text(ACCOUNT));
        assertEquals("never", UpdateProfile.parse(ACCOUNT, "never").text(ACCOUNT));
    }

    @Test
    void recordsDeclareThem() {
        assertEquals(
                "9 balance, 1 balance+owner", Schema.of(Account.class).updates().text(Schema.of(Account.class)));
    }

    /** Two sessions with different declarations use one table. */
    @Test
    void theyAreNoPartOfTheSchema() {
        Schema declared = ACCOUNT.withUpdates("1 limit");

        assertNull(ACCOUNT.updates());
        assertEquals(ACCOUNT, declared);
        assertEquals(ACCOUNT.fingerprint(), declared.fingerprint());
        assertEquals(ACCOUNT.toString(), declared.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "balance | not updates of table 'account': a weight and attributes are expected, as in '9 a, 1 a+b', or"
                        + " 'never': 'balance'",
                "1 balance, | not updates of table 'account': a weight and attributes are expected, as in '9 a, 1 a+b',"
                        + " or 'never': '1 balance,'",
                "0.5 balance | not updates of table 'account': a weight and attributes are expected, as in '9 a, 1"
                        + " a+b', or 'never': '0.5 balance'",
                "0 balance | a weight of updates is a whole number from 1 to 2^40, not 0",
                "1 balance+balance | attribute 'balance' of table 'account' stands twice in one update",
                "1 money | table 'account' has no attribute 'money': account(owner:string[16], balance:long, limit:int)"
            })
    void whatIsWrongIsSaid(String text, String sentence) {
        assertEquals(
                sentence,
                assertThrows(IllegalArgumentException.class, () -> ACCOUNT.withUpdates(text))
                        .getMessage());
    }
}
