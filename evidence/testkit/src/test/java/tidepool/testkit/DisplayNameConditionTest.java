package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** One play of a parameterized test can be run alone. */
class DisplayNameConditionTest {
    private static final String METHOD =
            "[engine:junit-jupiter]/[class:a.FordLitmusTest]/[test-template:play(a.Scene)]";
    private static final String INVOCATION = METHOD + "/[test-template-invocation:#3]";

    @Test
    void onlyTheWantedInvocationsRun() {
        assertFalse(skips(INVOCATION, "[3] scene = write-skew", null));
        assertFalse(skips(INVOCATION, "[3] scene = write-skew", "write-skew"));
        assertTrue(skips(INVOCATION, "[4] scene = lost-update", "write-skew"));
    }

    /** Otherwise no invocation would ever be reached. */
    @Test
    void classesAndMethodsRunWhateverTheirNames() {
        assertFalse(skips(METHOD, "play(Scene)", "write-skew"));
        assertFalse(skips("[engine:junit-jupiter]/[class:a.FordLitmusTest]", "FordLitmusTest", "write-skew"));
    }

    private static boolean skips(String uniqueId, String displayName, String wanted) {
        return DisplayNameCondition.evaluate(uniqueId, displayName, wanted).isDisabled();
    }
}
