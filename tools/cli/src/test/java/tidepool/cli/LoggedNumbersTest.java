package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/**
 * A number that fills a place such as {@code {0}} of a log message gets thousands separators. Session 12,345 is found
 * neither by a search nor by a command, so numbers are logged as text.
 */
class LoggedNumbersTest {
    private static final Set<String> BOXES =
            Set.of("java/lang/Integer", "java/lang/Long", "java/lang/Short", "java/lang/Double");

    @Test
    void noNumberFillsAPlaceOfALogMessage() throws IOException {
        List<Path> classes = new ArrayList<>();
        for (Path module : SourceTree.modules()) classes.addAll(files(module.resolve("target/classes"), ".class"));
        assertTrue(classes.size() > 1000, "only " + classes.size() + " classes were read");
        List<String> found = new ArrayList<>();
        for (Path file : classes) found.addAll(offences(ClassFile.of().parse(file)));
        assertEquals(List.of(), found);
    }

    /** Numbers by which something is named or found; counts and sizes may have separators. */
    @Test
    void noNameIsPrintedWithSeparators() throws IOException {
        Pattern name = Pattern.compile("\\b(session|epoch|block|node|life|seed|key|id|pid|port) %,d");
        List<String> found = new ArrayList<>();
        for (Path module : SourceTree.modules())
            for (Path file : files(module.resolve("src/main/java"), ".java"))
                if (name.matcher(Files.readString(file)).find()) found.add(file.toString());
        assertEquals(List.of(), found);
    }

    /** The rule finds a number alone and one among others, and leaves text alone. */
    @Test
    void aNumberIsFound() throws IOException {
        try (var bytes = Offender.class.getResourceAsStream("LoggedNumbersTest$Offender.class")) {
            List<String> found = offences(ClassFile.of().parse(bytes.readAllBytes()));
            assertEquals(
                    List.of("one", "second"),
                    found.stream().map(each -> each.replaceAll(".*\\.", "")).toList());
        }
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private static List<String> offences(ClassModel type) {
        List<String> found = new ArrayList<>();
        for (MethodModel method : type.methods())
            if (method.code().isPresent() && logsANumber(method))
                found.add(type.thisClass().asInternalName() + "."
                        + method.methodName().stringValue());
        return found;
    }

    private static boolean logsANumber(MethodModel method) {
        boolean boxed = false; // the last call made a number an object
        boolean stored = false; // such an object is in the array that was made last
        for (CodeElement element : method.code().orElseThrow())
            switch (element) {
                case NewReferenceArrayInstruction _ -> stored = false;
                case ArrayStoreInstruction store -> stored |= boxed && store.opcode() == Opcode.AASTORE;
                case InvokeInstruction call -> {
                    String owner = call.owner().asInternalName();
                    boxed = BOXES.contains(owner) && call.name().equalsString("valueOf");
                    boolean takesArray = call.type().stringValue().contains("[Ljava/lang/Object;)");
                    if (takesArray && stored && owner.equals("java/lang/System$Logger")) return true;
                    if (takesArray) stored = false;
                }
                default -> {}
            }
        return false;
    }

    /** Never run: only read by the rule. */
    static final class Offender {
        private static final System.Logger LOG = System.getLogger("none");

        void one(int session) {
            LOG.log(System.Logger.Level.INFO, "session {0}", session);
        }

        void second(long epoch, String why) {
            LOG.log(System.Logger.Level.INFO, "{0} in epoch {1}", why, epoch);
        }

        void text(int session, String why) {
            LOG.log(System.Logger.Level.INFO, "session {0}: {1}", "" + session, String.format("%s %d", why, session));
        }
    }
}
