package tidepool.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import tidepool.testkit.SourceTree;

/** The class files of all modules, with the subtypes and supertypes of each class. Names are internal names. */
final class CompiledModules {
    private final Map<String, ClassModel> main = new TreeMap<>();
    private final Map<String, Path> modules = new TreeMap<>();
    private final List<ClassModel> tests = new ArrayList<>();
    private final Set<String> all = new HashSet<>();
    private final Map<String, Set<String>> subtypes = new TreeMap<>();

    private CompiledModules() {}

    /** Reads the class files of modules: main classes and tests. */
    static CompiledModules read(List<Path> folders) throws IOException {
        CompiledModules read = new CompiledModules();
        for (Path folder : folders) {
            for (ClassModel type : parsed(folder.resolve("target/classes"))) {
                read.main.put(name(type), type);
                read.modules.put(name(type), folder);
            }
            read.tests.addAll(parsed(folder.resolve("target/test-classes")));
        }
        read.main.values().forEach(read::addSubtype);
        read.tests.forEach(read::addSubtype);
        return read;
    }

    private void addSubtype(ClassModel type) {
        all.add(name(type));
        for (String above : supertypes(type))
            subtypes.computeIfAbsent(above, _ -> new TreeSet<>()).add(name(type));
    }

    /** Returns the modules that have sources and no class files: the build has compiled a part of the checkout. */
    static List<Path> missing() {
        return SourceTree.modules().stream()
                .filter(folder -> Files.isDirectory(folder.resolve("src/main/java"))
                        && !Files.isDirectory(folder.resolve("target/classes")))
                .toList();
    }

    static List<ClassModel> parsed(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class") && !file.endsWith("module-info.class"))
                    .map(CompiledModules::parsedFile)
                    .toList();
        }
    }

    private static ClassModel parsedFile(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, ClassModel> main() {
        return main;
    }

    List<ClassModel> tests() {
        return tests;
    }

    /** True for a main class and for a class of tests. */
    boolean has(String type) {
        return all.contains(type);
    }

    /** Returns the folder of the module of a main class. */
    Path module(String type) {
        return modules.get(type);
    }

    static String name(ClassModel type) {
        return type.thisClass().asInternalName();
    }

    /** Returns a type with all its supertypes and subtypes: a member may be called on any of them. */
    Set<String> family(String type) {
        Set<String> family = reached(type, false);
        family.addAll(reached(type, true));
        return family;
    }

    private Set<String> reached(String type, boolean down) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(type));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (!reached.add(next)) continue;
            if (down) open.addAll(subtypes.getOrDefault(next, Set.of()));
            else if (main.containsKey(next)) open.addAll(supertypes(main.get(next)));
        }
        return reached;
    }

    private static List<String> supertypes(ClassModel type) {
        List<String> above = new ArrayList<>();
        type.superclass().map(ClassEntry::asInternalName).ifPresent(above::add);
        for (ClassEntry each : type.interfaces()) above.add(each.asInternalName());
        return above;
    }
}
