package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Dependencies between the four folders go one way, except in test scope: an application gets core and nothing else. */
class ModuleGraphTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern GROUP = Pattern.compile("<groupId>([^<]+)</groupId>");
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "core", Set.of("core"),
            "net", Set.of("core", "net"),
            "evidence", Set.of("core", "net", "evidence"));

    @Test
    void foldersDependOnLowerOnesAlone() throws IOException {
        Map<String, String> folders = folders();
        List<String> wrong = new ArrayList<>();
        int dependencies = 0;
        for (Path module : SourceTree.modules()) {
            Set<String> allowed = ALLOWED.get(folder(module));
            if (allowed == null) continue;
            for (String artifact : compiled(module, true)) {
                dependencies++;
                if (!allowed.contains(folders.get(artifact))) wrong.add(module + " depends on " + artifact);
            }
        }
        assertTrue(dependencies > 15, "only " + dependencies + " dependencies were read");
        assertEquals(List.of(), wrong);
    }

    /** The dependency tree of an application that uses {@code mem:} or {@code shm:} is ours alone. */
    @Test
    void coreHasNoForeignDependency() throws IOException {
        for (Path module : SourceTree.modules())
            if (folder(module).equals("core")) assertEquals(List.of(), compiled(module, false), module.toString());
    }

    private static String folder(Path module) {
        return module.getParent().getFileName().toString();
    }

    /** Returns the folder of each artifact of Tidepool. */
    private static Map<String, String> folders() {
        Map<String, String> folders = new TreeMap<>();
        for (Path module : SourceTree.modules()) folders.put("tidepool-" + module.getFileName(), folder(module));
        return folders;
    }

    /** Returns the artifacts that a module depends on outside of test scope: ours, or foreign ones. */
    private static List<String> compiled(Path module, boolean ours) throws IOException {
        List<String> artifacts = new ArrayList<>();
        Matcher dependency = DEPENDENCY.matcher(Files.readString(module.resolve("pom.xml")));
        while (dependency.find()) {
            String text = dependency.group(1);
            if (text.contains("<scope>test</scope>")) continue;
            Matcher group = GROUP.matcher(text);
            Matcher artifact = ARTIFACT.matcher(text);
            if (group.find() && artifact.find() && group.group(1).equals("dev.tidepool") == ours)
                artifacts.add(artifact.group(1));
        }
        return artifacts;
    }
}
