package tidepool.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/**
 * A hook that one protocol overrides hides a part of that protocol in a class which all protocols share. Decision 0024
 * has a table of those that stay, with reasons.
 */
class OneOverriderTest {
    private static final Path DECISION = SourceTree.path("docs/decisions/0024-steps.md");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+\\.\\w+)` \\| `(\\w+)` \\| .+ \\|");

    private final Map<String, ClassModel> classes = new HashMap<>();

    @Test
    void hooksWithOneOverriderHaveAReason() throws Exception {
        read(Path.of(Protocol.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()));
        assertTrue(classes.size() > 100, classes.size() + " classes");
        // All of its methods are those of an interface of another module.
        classes.remove(ForwardingTxn.class.getName().replace('.', '/'));

        assertEquals(String.join("\n", reasons()), String.join("\n", hooks()));
    }

    /** The rule sees hooks of classes, and neither implementations of interfaces nor hooks with two overriders. */
    @Test
    void onlyHooksWithOneOverriderAreFound() throws Exception {
        read(Path.of(OneOverriderTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()));
        classes.keySet()
                .removeIf(name ->
                        !name.startsWith(OneOverriderTest.class.getName().replace('.', '/') + "$"));

        assertEquals(List.of("Base.one <- Left"), List.copyOf(hooks()));
    }

    private interface Described {
        String described();
    }

    @SuppressWarnings("unused")
    private static class Base implements Described {
        void none() {}

        void one() {}

        void two() {}

        @Override
        public String described() {
            return "base";
        }
    }

    private static class Left extends Base {
        @Override
        void one() {}

        @Override
        void two() {}

        @Override
        public String described() {
            return "left";
        }
    }

    @SuppressWarnings("unused")
    private static final class LeftOfLeft extends Left {
        @Override
        void two() {}
    }

    /** Returns the hooks of the table in the decision. */
    private static TreeSet<String> reasons() throws IOException {
        TreeSet<String> reasons = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(DECISION));
        while (row.find()) reasons.add(row.group(1) + " <- " + row.group(2));
        return reasons;
    }

    private void read(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(file);
                classes.put(model.thisClass().asInternalName(), model);
            }
        }
    }

    /** Returns the methods of classes that one class overrides. */
    private TreeSet<String> hooks() {
        TreeSet<String> hooks = new TreeSet<>();
        for (ClassModel base : classes.values()) {
            if (base.flags().has(AccessFlag.INTERFACE)) continue;
            for (MethodModel method : base.methods()) {
                if (!isHook(method) || isInherited(base, method)) continue;
                List<String> overriders = overriders(base, method);
                if (overriders.size() == 1)
                    hooks.add(simple(base) + "." + method.methodName().stringValue() + " <- " + overriders.getFirst());
            }
        }
        return hooks;
    }

    private static boolean isHook(MethodModel method) {
        return isOfInstance(method)
                && !method.flags().has(AccessFlag.ABSTRACT)
                && !method.flags().has(AccessFlag.FINAL);
    }

    private static boolean isOfInstance(MethodModel method) {
        return !method.flags().has(AccessFlag.STATIC)
                && !method.flags().has(AccessFlag.PRIVATE)
                && !method.flags().has(AccessFlag.SYNTHETIC)
                && !method.methodName().equalsString(ConstantDescs.INIT_NAME);
    }

    private List<String> overriders(ClassModel base, MethodModel method) {
        List<String> overriders = new ArrayList<>();
        for (ClassModel other : classes.values())
            if (other != base && supertypes(other).contains(base) && declares(other, method))
                overriders.add(simple(other));
        return overriders;
    }

    /** Whether a method implements or overrides another one, so that it is no hook of its class. */
    private boolean isInherited(ClassModel of, MethodModel method) {
        for (ClassModel each : supertypes(of)) if (declares(each, method)) return true;
        return Stream.of(Object.class.getMethods())
                .anyMatch(each -> method.methodName().equalsString(each.getName()));
    }

    private static boolean declares(ClassModel of, MethodModel method) {
        return of.methods().stream()
                .anyMatch(each -> isOfInstance(each)
                        && each.methodName().equalsString(method.methodName().stringValue())
                        && each.methodType().equalsString(method.methodType().stringValue()));
    }

    /** Returns the supertypes of a class that were read. */
    private List<ClassModel> supertypes(ClassModel of) {
        List<ClassModel> supertypes = new ArrayList<>();
        of.superclass().ifPresent(each -> add(each.asInternalName(), supertypes));
        of.interfaces().forEach(each -> add(each.asInternalName(), supertypes));
        return supertypes;
    }

    private void add(String name, List<ClassModel> to) {
        ClassModel type = classes.get(name);
        if (type == null || to.contains(type)) return;
        to.add(type);
        to.addAll(supertypes(type));
    }

    private static String simple(ClassModel of) {
        String name = of.thisClass().asInternalName();
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('$')) + 1);
    }
}
