package tidepool.evidence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.thetaphi.forbiddenapis.Checker;
import de.thetaphi.forbiddenapis.ForbiddenApiException;
import de.thetaphi.forbiddenapis.Logger;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/** The rules of the deterministic modules can fail: they run against code that breaks them. */
class DeterministicModulesTest {
    private static final Path RULES = SourceTree.path("config/deterministic-modules.txt");
    private static final String REASON = "@defaultMessage ";

    /** Each group of rules ends a build, and tells the author its reason. */
    @Test
    void everyReasonIsGivenToTheOffender() throws Exception {
        String complaints = String.join("\n", complaintsAbout(Offender.class));

        for (String line : Files.readAllLines(RULES)) {
            if (line.startsWith(REASON)) {
                String reason = line.substring(REASON.length());
                assertTrue(complaints.contains(reason), () -> "nobody was told: " + reason + "\n" + complaints);
            }
        }
    }

    /** No offence hides another one: each method of the offender commits one, and each is counted. */
    @Test
    void everyOffenceIsFound() throws Exception {
        List<String> complaints = complaintsAbout(Offender.class);

        long offences = complaints.stream()
                .filter(complaint -> complaint.startsWith("Forbidden"))
                .count();
        assertEquals(Offender.class.getDeclaredMethods().length, offences, () -> String.join("\n", complaints));
    }

    /** Calls that look similar and are deterministic stay allowed. */
    @Test
    void lawAbidingCodeIsLeftAlone() throws Exception {
        assertEquals(List.of(), complaintsAbout(LawAbiding.class));
    }

    private static List<String> complaintsAbout(Class<?> suspect) throws Exception {
        List<String> complaints = new ArrayList<>();
        Checker checker = new Checker(
                listener(complaints),
                suspect.getClassLoader(),
                Checker.Option.FAIL_ON_VIOLATION,
                Checker.Option.FAIL_ON_UNRESOLVABLE_SIGNATURES);
        checker.addBundledSignatures("jdk-unsafe", "25");
        checker.parseSignaturesFile(RULES.toFile());
        try (InputStream bytes = suspect.getResourceAsStream(suspect.getSimpleName() + ".class")) {
            checker.streamReadClassToCheck(bytes, suspect.getName());
        }
        try {
            checker.run();
        } catch (ForbiddenApiException refused) {
            assertTrue(!complaints.isEmpty(), "refused, but nobody was told why");
        }
        return complaints;
    }

    private static Logger listener(List<String> complaints) {
        return new Logger() {
            @Override
            public void error(String message) {
                complaints.add(message);
            }

            @Override
            public void warn(String message) {}

            @Override
            public void info(String message) {}

            @Override
            public void debug(String message) {}
        };
    }
}
