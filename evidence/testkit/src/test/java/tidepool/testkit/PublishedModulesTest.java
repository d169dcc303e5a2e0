package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A module with a module name is published: it is installed, and the BOM has its version. All others are not. */
class PublishedModulesTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(tidepool-[^<]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    @Test
    void theBomListsThePublishedModules() throws IOException {
        Set<String> named = new TreeSet<>();
        Set<String> installed = new TreeSet<>();
        for (Path module : SourceTree.modules()) {
            String pom = Files.readString(module.resolve("pom.xml"));
            if (Files.exists(module.resolve("src/main/java/module-info.java"))
                    || pom.contains("<Automatic-Module-Name>")) named.add(artifact(pom));
            if (!pom.contains("<maven.install.skip>true</maven.install.skip>")) installed.add(artifact(pom));
        }
        assertTrue(named.size() >= 9, named.toString());
        assertEquals(named, installed, "modules that are installed");

        String bom = Files.readString(SourceTree.path("bom/pom.xml"));
        List<String> listed = new ArrayList<>();
        Matcher artifact = ARTIFACT.matcher(bom.substring(bom.indexOf("<dependencyManagement>")));
        while (artifact.find()) listed.add(artifact.group(1));
        assertEquals(List.copyOf(named), listed, "modules of the BOM, sorted");
    }

    /** The BOM has no parent to take its version from. */
    @Test
    void theBomHasTheVersionOfTheModules() throws IOException {
        Matcher bom = VERSION.matcher(Files.readString(SourceTree.path("bom/pom.xml")));
        Matcher parent = VERSION.matcher(Files.readString(SourceTree.path("pom.xml")));
        assertTrue(bom.find() && parent.find());
        assertEquals(parent.group(1), bom.group(1));
    }

    /** Returns the artifact of a module: the first that is not its parent's. */
    private static String artifact(String pom) {
        Matcher artifact = ARTIFACT.matcher(pom.substring(pom.indexOf("</parent>")));
        assertTrue(artifact.find());
        return artifact.group(1);
    }
}
