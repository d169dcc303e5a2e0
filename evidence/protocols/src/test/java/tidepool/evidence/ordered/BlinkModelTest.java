package tidepool.evidence.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.ordered.BlinkModel.Actor;
import tidepool.evidence.ordered.BlinkModel.Mutant;

/**
 * All states of a small B-link tree: no order of steps of a split, a merge, inserts, a delete and a scan breaks the
 * chain of leaves, loses a key or shows a scan what never was. The counts of states are those of an independent model
 * in another language, so the two agree about the steps.
 */
class BlinkModelTest {
    private static Set<Actor> actors(String letters) {
        Set<Actor> actors = EnumSet.noneOf(Actor.class);
        for (Actor each : Actor.values()) if (letters.indexOf(each.name().charAt(0)) >= 0) actors.add(each);
        assertEquals(letters.length(), actors.size());
        return actors;
    }

    @ParameterizedTest
    @CsvSource({
        "PIQ, 1386, 116",
        "PIJQ, 10455, 621",
        "PIDQ, 10120, 554",
        "PMQ, 918, 76",
        "PMIQ, 8625, 418",
        "PMDQ, 6764, 328"
    })
    void noStateIsWrong(String letters, int states, int quiet) {
        BlinkModel model = new BlinkModel(actors(letters), Mutant.NONE);
        model.explore();
        assertEquals(Set.of(), model.violations());
        assertEquals(states, model.states());
        assertEquals(quiet, model.quiet());
    }

    @Test
    @Tag("night")
    void noStateOfAllActorsIsWrong() {
        BlinkModel model = new BlinkModel(actors("PMIJDQ"), Mutant.NONE);
        model.explore();
        assertEquals(Set.of(), model.violations());
        assertEquals(682_354, model.states());
        assertEquals(13_267, model.quiet());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void mutantsAreFound(Mutant mutant) {
        BlinkModel model = new BlinkModel(actors(mutant.actors), mutant);
        model.explore();
        if (mutant.isWrong) assertTrue(model.violations().contains(mutant.violation), () -> "" + model.violations());
        else assertEquals(Set.of(), model.violations());
    }
}
