package tidepool.mutants;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A checkout that was built with its tests: the folders of the classes and tests of its modules. */
final class Checkout {
    /** Folders of the modules whose classes the tests need, and of this one. */
    private static final List<String> FOLDERS = List.of(
            "core/base",
            "core/memory",
            "core/fabric",
            "evidence/sim",
            "net/wire",
            "net/tcp",
            "net/node",
            "core/model",
            "core/store",
            "core/protocol",
            "core/api",
            "evidence/contracts",
            "evidence/history",
            "evidence/clusters",
            "evidence/protocols",
            "evidence/testkit",
            "evidence/mutants");

    private static final List<String> ROOMS = FOLDERS.stream()
            .map(folder -> folder.substring(folder.indexOf('/') + 1))
            .filter(name -> !name.equals("mutants"))
            .toList();

    /** Modules that can be changed, and the modules whose tests are run. */
    static final Map<String, List<String>> TESTED = Map.of(
            "model", List.of("model", "store", "protocol", "api", "clusters", "protocols"),
            "store", List.of("store", "protocol", "api", "clusters", "protocols"),
            "protocol", List.of("protocol", "clusters", "protocols"),
            "api", List.of("api", "clusters", "protocols"));

    /** Tests of planted bugs assert that something fails: a mutant in addition to the bug would show nothing. */
    private static final Pattern LEFT_OUT = Pattern.compile(".*Planted.*");

    private final Path root;
    private final String module;

    Checkout(Path root, String module) {
        this.root = root;
        this.module = module;
    }

    /** Returns the folder of the results. */
    Path results() {
        return root.resolve(".tidepool").resolve("mutants");
    }

    /** Returns the folder in which Maven runs the tests of the module protocols, which read files relative to it. */
    Path testFolder() {
        return folder("protocols");
    }

    /** Returns the classes of the module by their internal names, in their order. */
    Map<String, byte[]> classes() {
        return classesOf(module);
    }

    /** Returns the classes of all modules that can be changed, in an order that does not depend on this module. */
    Map<String, byte[]> traceable() {
        Map<String, byte[]> classes = new TreeMap<>();
        for (String each : TESTED.keySet()) classes.putAll(classesOf(each));
        return classes;
    }

    private Map<String, byte[]> classesOf(String room) {
        Map<String, byte[]> classes = new TreeMap<>();
        Path folder = classes(room);
        for (Path file : files(folder, ".class")) {
            String name = relative(folder, file);
            if (!name.endsWith("-info")) classes.put(name, read(file));
        }
        return classes;
    }

    /** Returns the test classes whose names fit the pattern. */
    List<String> tests(Pattern chosen) {
        List<String> tests = new ArrayList<>();
        for (String tested : TESTED.get(module)) {
            Path folder = testClasses(tested);
            for (Path file : files(folder, "Test.class")) {
                String name = relative(folder, file).replace('/', '.');
                if (!name.contains("$")
                        && !LEFT_OUT.matcher(name).matches()
                        && chosen.matcher(name).find()) tests.add(name);
            }
        }
        return tests;
    }

    /** Returns the class path of a child: the changed class, this module, all modules, the tests, the libraries. */
    String classPath(Path first) {
        StringJoiner path = new StringJoiner(File.pathSeparator);
        path.add(first.toString());
        path.add(folder("mutants").resolve("target/classes").toString());
        for (String each : ROOMS) path.add(classes(each).toString());
        for (String each : TESTED.get(module)) path.add(testClasses(each).toString());
        path.add(folder("mutants").resolve("target/lib") + File.separator + "*");
        return path.toString();
    }

    /** Returns folders for the verifier's tables. */
    List<Path> folders() {
        return ROOMS.stream().map(this::classes).toList();
    }

    /** Returns a hash of everything that determines the results of tests: all classes, and the given text. */
    String fingerprint(String more) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(more.getBytes(StandardCharsets.UTF_8));
            for (String each : ROOMS)
                for (Path folder : List.of(classes(each), testClasses(each)))
                    for (Path file : files(folder, ".class")) {
                        digest.update(relative(folder, file).getBytes(StandardCharsets.UTF_8));
                        digest.update(read(file));
                    }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path folder(String module) {
        for (String folder : FOLDERS) if (folder.endsWith("/" + module)) return root.resolve(folder);
        throw new IllegalArgumentException("no module " + module);
    }

    private Path classes(String of) {
        return folder(of).resolve("target/classes");
    }

    private Path testClasses(String of) {
        return folder(of).resolve("target/test-classes");
    }

    private static String relative(Path folder, Path file) {
        String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
        return name.substring(0, name.length() - ".class".length());
    }

    private static List<Path> files(Path folder, String end) {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
