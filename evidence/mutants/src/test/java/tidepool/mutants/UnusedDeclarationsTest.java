package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/**
 * Methods, fields and constructors of main code are used by main code; what the API offers to applications is excepted.
 * The compiler finds unused private members alone. A member that only tests use is code that is tested for nothing.
 * config/unused-allowed.txt lists the exceptions with their reasons.
 */
class UnusedDeclarationsTest {
    /** Packages that applications use (ARCHITECTURE.md): their public and protected members need no caller here. */
    private static final Set<String> API =
            Set.of("tidepool", "tidepool.backup", "tidepool.schema", "tidepool.spi", "tidepool.txn");

    /** The classes of these modules are made for tests, so a test is a user. */
    private static final Set<String> FOR_TESTS =
            Set.of("testkit", "sim", "contracts", "history", "clusters", "fuzz", "mutants");

    /** Classes of these are started by name: programs to copy from, and those that jcstress generates. */
    private static final Set<String> LEFT_OUT = Set.of("examples", "stress");

    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

    @Test
    void mainCodeUsesWhatItDeclares() throws IOException {
        List<Path> missing = CompiledModules.missing();
        assumeTrue(missing.isEmpty(), "a part of the modules is compiled; not compiled are " + missing);
        CompiledModules modules = CompiledModules.read(SourceTree.modules());
        assertTrue(modules.main().size() > 1500, "only " + modules.main().size() + " classes were read");

        Set<String> allowed = allowed();
        Set<String> unused = unused(modules, words(SourceTree.modules()));
        Set<String> wrong = new TreeSet<>(unused);
        wrong.removeAll(allowed);
        assertEquals("", String.join("\n", wrong), "not used by main code, and not in config/unused-allowed.txt");
        allowed.removeAll(unused);
        assertEquals("", String.join("\n", allowed), "in config/unused-allowed.txt, and used or not declared");
    }

    /** The check can fail: of the members of a sample it finds those that are not used. */
    @Test
    void unusedMembersOfASampleAreFound() throws IOException {
        Path folder = SourceTree.module("mutants");
        CompiledModules modules = CompiledModules.read(List.of(folder));
        ClassModel sample = CompiledModules.parsed(folder.resolve("target/test-classes")).stream()
                .filter(type -> CompiledModules.name(type).endsWith("/UnusedSample"))
                .findFirst()
                .orElseThrow();
        MemberUses uses = new MemberUses();
        uses.add(sample);
        List<String> found = members(sample, modules, Map.of("READ", 2)).stream()
                .filter(member -> !uses.has(Set.of(CompiledModules.name(sample)), member))
                .toList();
        assertEquals(List.of("neverCalled()V", "callsItself(I)I", "NEVER_READ", "writtenOnly"), found);
        assertFalse(uses.names("tidepool.mutants", "neverCalled"));
        assertTrue(uses.names("tidepool.mutants", "calledByName"));
    }

    private static Set<String> unused(CompiledModules modules, Map<String, Integer> words) {
        MemberUses main = new MemberUses();
        MemberUses all = new MemberUses();
        for (ClassModel type : modules.main().values()) {
            main.add(type);
            all.add(type);
        }
        modules.tests().forEach(all::add);

        Set<String> unused = new TreeSet<>();
        for (ClassModel type : modules.main().values()) {
            String name = CompiledModules.name(type);
            String module = modules.module(name).getFileName().toString();
            if (LEFT_OUT.contains(module)) continue;
            MemberUses uses = FOR_TESTS.contains(module) ? all : main;
            Set<String> family = modules.family(name);
            for (String member : members(type, modules, words))
                if (!uses.has(family, member) && !uses.names(MemberUses.packageOf(name), simple(member)))
                    unused.add(name.replace('/', '.') + "." + member);
        }
        return unused;
    }

    /** Returns the members of a class that need a use: methods with descriptors, and fields. */
    private static List<String> members(ClassModel type, CompiledModules modules, Map<String, Integer> words) {
        List<String> members = new ArrayList<>();
        if (type.flags().has(AccessFlag.SYNTHETIC)) return members;
        boolean isRecord = type.superclass()
                .filter(above -> above.asInternalName().equals("java/lang/Record"))
                .isPresent();
        boolean isEnum = type.flags().has(AccessFlag.ENUM);
        long constructors =
                type.methods().stream().filter(method -> isConstructor(method)).count();
        for (MethodModel method : type.methods()) {
            String name = method.methodName().stringValue();
            if (isExempt(method, method.flags().flags(), isOffered(type, modules, name)) || name.equals("<clinit>"))
                continue;
            if (name.equals("main")
                    || isEnum && Set.of("values", "valueOf", "<init>").contains(name)) continue;
            // A class with one constructor is made somehow, by reflection too.
            if (isConstructor(method) && (isRecord || constructors == 1)) continue;
            if (isRecord && isComponent(type, method) || overridesForeign(type, modules, name)) continue;
            members.add(name + method.methodType().stringValue());
        }
        for (FieldModel field : type.fields()) {
            String name = field.fieldName().stringValue();
            if (isExempt(field, field.flags().flags(), isOffered(type, modules, name))) continue;
            if (field.flags().has(AccessFlag.ENUM)) continue;
            // The compiler copies constants into the code that uses them, so their names are looked for in sources.
            boolean isConstant = field.findAttribute(Attributes.constantValue()).isPresent();
            if (!isConstant || words.getOrDefault(name, 0) < 2) members.add(name);
        }
        return members;
    }

    private static boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString("<init>");
    }

    /** Frameworks find members by annotations, and applications those of the API. */
    private static boolean isExempt(AttributedElement member, Set<AccessFlag> flags, boolean isOffered) {
        if (flags.contains(AccessFlag.PRIVATE) || flags.contains(AccessFlag.SYNTHETIC)) return true;
        if (member.findAttribute(Attributes.runtimeVisibleAnnotations()).isPresent()) return true;
        return isOffered && (flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED));
    }

    /** Returns whether the class, or one that declares the member above it, is a public class of the API. */
    private static boolean isOffered(ClassModel type, CompiledModules modules, String member) {
        for (String each : modules.family(CompiledModules.name(type))) {
            ClassModel found = modules.main().get(each);
            if (found != null
                    && found.flags().has(AccessFlag.PUBLIC)
                    && API.contains(MemberUses.packageOf(each))
                    && found.methods().stream()
                            .anyMatch(method -> method.methodName().equalsString(member))) return true;
        }
        return type.flags().has(AccessFlag.PUBLIC) && API.contains(MemberUses.packageOf(CompiledModules.name(type)));
    }

    private static boolean isComponent(ClassModel type, MethodModel method) {
        return method.methodType().stringValue().startsWith("()")
                && type.fields().stream().anyMatch(field -> field.fieldName()
                        .equalsString(method.methodName().stringValue()));
    }

    /** Returns whether the JDK or a library may call the method: a type above the class declares one of that name. */
    private static boolean overridesForeign(ClassModel type, CompiledModules modules, String method) {
        if (method.equals("<init>")) return false;
        for (String each : modules.family(CompiledModules.name(type))) {
            if (modules.has(each)) continue;
            try {
                Class<?> above =
                        Class.forName(each.replace('/', '.'), false, UnusedDeclarationsTest.class.getClassLoader());
                for (Class<?> next = above; next != null; next = next.getSuperclass())
                    for (Method declared : next.getDeclaredMethods())
                        if (declared.getName().equals(method)) return true;
                for (Method declared : above.getMethods())
                    if (declared.getName().equals(method)) return true;
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                return true; // a type of a library that this module does not have
            }
        }
        return false;
    }

    private static String simple(String member) {
        int descriptor = member.indexOf('(');
        return descriptor < 0 ? member : member.substring(0, descriptor);
    }

    /** Returns how often each word stands in the code of main sources. */
    private static Map<String, Integer> words(List<Path> modules) throws IOException {
        Map<String, Integer> words = new HashMap<>();
        for (Path module : modules) {
            Path sources = module.resolve("src/main/java");
            if (!Files.isDirectory(sources)) continue;
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Matcher word =
                            WORD.matcher(COMMENT.matcher(Files.readString(file)).replaceAll(" "));
                    while (word.find()) words.merge(word.group(), 1, Integer::sum);
                }
            }
        }
        return words;
    }

    /** Returns the members of the list. A line that begins with # is a reason for the lines after it. */
    private static Set<String> allowed() throws IOException {
        Set<String> allowed = new TreeSet<>();
        boolean isReasoned = false;
        for (String line : Files.readAllLines(SourceTree.path("config/unused-allowed.txt"))) {
            if (line.startsWith("#")) isReasoned = true;
            if (line.isBlank()) isReasoned = false;
            if (line.isBlank() || line.startsWith("#")) continue;
            assertTrue(isReasoned, "no reason in the paragraph of " + line);
            assertTrue(allowed.add(line), "twice: " + line);
        }
        return allowed;
    }
}
