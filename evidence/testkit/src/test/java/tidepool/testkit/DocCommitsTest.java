package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Every commit that a document names is an ancestor of this one. A result is evidence only for code that a reader can
 * look at.
 */
class DocCommitsTest {
    /** Eight hexadecimal digits, which are no number: after the word, or with a letter among them. */
    private static final Pattern COMMIT = Pattern.compile(
            "(?:\\bcommits? )([0-9a-f]{8})\\b|(?<![\\w#./-])(?=[0-9]*[a-f])(?=[a-f]*[0-9])([0-9a-f]{8})(?![\\w-])");

    @Test
    void everyCommitThatIsNamedIsAnAncestor() throws IOException {
        List<String> ancestors = ancestors();
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path page : DocLinksTest.pages())
            for (String commit : commits(Files.readString(page))) {
                named++;
                if (ancestors.stream().noneMatch(each -> each.startsWith(commit))) unknown.add(page + ": " + commit);
            }
        assertTrue(named > 8, "only " + named + " commits were read");
        assertEquals(List.of(), unknown);
    }

    /** The check can fail. */
    @Test
    void commitsAreTold() {
        assertEquals(
                List.of("f5d88df8", "12345678", "cc42715f"),
                commits("`.ci/run` of commit f5d88df8, commit 12345678, the second at cc42715f, of 12345679 rows,"
                        + " seed 0x5eed1234, deadbeef"));
    }

    private static List<String> commits(String text) {
        List<String> commits = new ArrayList<>();
        Matcher found = COMMIT.matcher(text);
        while (found.find()) commits.add(found.group(1) != null ? found.group(1) : found.group(2));
        return commits;
    }

    /** Returns the names of all ancestors. Skips the test where they are not known. */
    private static List<String> ancestors() {
        Assumptions.assumeTrue(Files.exists(SourceTree.path(".git")), "this is no checkout: no commits are known");
        Assumptions.assumeTrue(git("--version") != null, "git is not installed: no commits are known");
        List<String> shallow = git("rev-parse", "--is-shallow-repository");
        Assumptions.assumeTrue(shallow != null, "git does not read this checkout: no commits are known");
        Assumptions.assumeTrue(shallow.equals(List.of("false")), "a shallow clone does not have all commits");
        return git("rev-list", "HEAD");
    }

    /** Returns the lines that git prints; null if it cannot be run, or fails. */
    private static List<String> git(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("git", "-C", SourceTree.root().toString()));
        command.addAll(List.of(arguments));
        try (ChildProcess git =
                ChildProcess.program(command.toArray(String[]::new)).start()) {
            List<String> lines = git.lines();
            return git.exitCode() == 0 ? lines : null;
        } catch (RuntimeException e) {
            return null;
        }
    }
}
