package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidepool.schema.Schema;
import tidepool.testkit.SourceTree;

/**
 * The signatures that applications see are written in {@code docs/internals/api-surface.txt}, so that a review shows
 * their changes. {@code ./tidepool test -Dtest=ApiSurfaceTest -Dtidepool.surface=write} writes the file anew.
 */
class ApiSurfaceTest {
    private static final Set<String> PACKAGES =
            Set.of("tidepool", "tidepool.backup", "tidepool.schema", "tidepool.txn");
    private static final Pattern INTERNAL =
            Pattern.compile("tidepool\\.(store|protocol|fabric|memory|internal|spi)\\.");
    private static final Set<String> USUAL = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void signaturesAreThoseOfTheFile() throws Exception {
        String found = String.join("\n", surface()) + "\n";
        Path file = SourceTree.path("docs/internals/api-surface.txt");
        if ("write".equals(System.getProperty("tidepool.surface"))) Files.writeString(file, found);
        assertEquals(
                Files.readString(file),
                found,
                "the api has changed: write it by -Dtidepool.surface=write, and tell users in MIGRATE.md");
    }

    /** A program imports nothing of the modules below the api. */
    @Test
    void noSignatureNamesAnInternalType() throws Exception {
        List<String> surface = surface();
        assertTrue(surface.size() > 100, "only " + surface.size() + " lines");
        assertEquals(
                List.of(),
                surface.stream().filter(line -> INTERNAL.matcher(line).find()).toList());
    }

    /** The check can fail: a signature with a type of the fabric is found. */
    @Test
    void internalTypesAreFound() throws Exception {
        String signature =
                tidepool.fabric.FabricException.class.getMethod("refusal").toGenericString();
        assertTrue(INTERNAL.matcher(signature).find(), signature);
    }

    private static List<String> surface() throws IOException, URISyntaxException, ClassNotFoundException {
        List<String> lines = new ArrayList<>();
        Set<String> names = new TreeSet<>(classes(Tidepool.class));
        names.addAll(classes(Schema.class));
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Tidepool.class.getClassLoader());
            if (!isVisible(type)) continue;
            lines.add(type.toGenericString());
            Set<String> members = new TreeSet<>();
            for (Field field : type.getDeclaredFields()) if (isVisible(field)) members.add(field.toGenericString());
            for (Constructor<?> one : type.getDeclaredConstructors())
                if (isVisible(one)) members.add(one.toGenericString());
            for (Method method : type.getDeclaredMethods())
                if (isVisible(method) && !USUAL.contains(method.getName())) members.add(method.toGenericString());
            for (String member : members) lines.add("    " + member);
        }
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        if (!PACKAGES.contains(type.getPackageName())) return false;
        for (Class<?> each = type; each != null; each = each.getEnclosingClass())
            if (!Modifier.isPublic(each.getModifiers())) return false;
        return !type.isAnonymousClass() && !type.isLocalClass();
    }

    private static boolean isVisible(Member member) {
        return !member.isSynthetic() && (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    /** Returns the names of all classes of the module in which a class lies. */
    private static List<String> classes(Class<?> one) throws IOException, URISyntaxException {
        Path at =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleReference module =
                ModuleFinder.of(at).findAll().stream().findFirst().orElseThrow();
        try (ModuleReader reader = module.open();
                var files = reader.list()) {
            return files.filter(file -> file.endsWith(".class") && !file.equals("module-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }
}
