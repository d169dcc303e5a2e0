package tidepool.mutants;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * {@code tidepool mutants}: draws mutants of a module, tries each with the tests that enter it, lists survivors.
 */
public final class MutantsMain implements AutoCloseable {
    /** The part of a trial's time in which the JVM of many trials kills most mutants. */
    private static final int TOGETHER = 5;

    private final Options options;
    private final Checkout checkout;
    private final Children children;
    private final Sites sites;
    private final Map<String, byte[]> classes;
    private final Map<String, Integer> methods = new HashMap<>();
    private Path tried;
    private final Deque<SharedChild> shared = new ArrayDeque<>();
    private int done;

    MutantsMain(Path root, Options options) {
        this.options = options;
        this.checkout = new Checkout(root, options.module());
        this.children = new Children(checkout.testFolder(), options.effort());
        this.sites = new Sites(loader(checkout.folders()));
        this.classes = checkout.classes();
    }

    /** Arguments: the checkout, then options. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = Arrays.asList(arguments);
        try (MutantsMain driver = new MutantsMain(Path.of(all.getFirst()), Options.of(all.subList(1, all.size())))) {
            driver.run();
        }
    }

    private static ClassLoader loader(List<Path> folders) {
        List<URL> urls = new ArrayList<>();
        for (Path folder : folders)
            try {
                urls.add(folder.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        return new URLClassLoader(urls.toArray(URL[]::new), MutantsMain.class.getClassLoader());
    }

    private void run() throws Exception {
        List<Mutant> plan = MutationPlan.draw(classes, sites, options.only(), options.seed(), options.count());
        System.out.println(options);
        if (plan.isEmpty()) {
            System.out.println("nothing to change: no class of the module fits --only " + options.only());
            return;
        }
        TestTimes times = times();
        System.out.println(plan.size() + " mutants, " + times.count() + " test classes");
        Map<Mutant, MutantVerdict> verdicts = resume(plan);
        if (!verdicts.isEmpty()) System.out.println(verdicts.size() + " of them were tried before");
        List<Mutant> left = new ArrayList<>(plan);
        left.removeAll(verdicts.keySet());
        tryAll("together", left, verdicts, mutant -> triedTogether(mutant, times));
        left = new ArrayList<>(plan);
        left.removeIf(mutant -> verdicts.get(mutant).kind() != MutantVerdict.Kind.OPEN);
        close();
        tryAll("alone", left, verdicts, mutant -> tried(mutant, times));
        Report report = new Report(options, List.copyOf(verdicts.values()));
        Path base = checkout.results().resolve(options.module() + "-" + options.seed());
        Files.writeString(Path.of(base + ".txt"), report.text());
        Files.writeString(Path.of(base + ".json"), report.json());
        System.out.println();
        System.out.print(report.text());
        System.out.println("Written to " + base + ".txt and .json");
    }

    // ---- the tests without a change

    /**
     * Runs each test once with traced classes of all modules that can be changed. The lines are kept until a class or a
     * test changes, so they serve the mutants of every module, and a run that was ended goes on.
     */
    TestTimes times() throws IOException, InterruptedException {
        Set<String> tests = new LinkedHashSet<>(checkout.tests(options.tests()));
        String name = checkout.fingerprint(options.effort() + options.seconds());
        Files.createDirectories(checkout.results());
        Path lines = checkout.results().resolve("tests-" + name + ".txt");
        Path traced = Files.createTempDirectory("traced");
        try {
            for (byte[] bytes : checkout.traceable().values()) trace(traced, bytes);
            List<String> left = new ArrayList<>(tests);
            left.removeAll(ended(lines));
            if (!left.isEmpty())
                System.out.println("Running " + left.size() + " test classes once, to see what each enters");
            runAll(checkout.classPath(traced), lines, left);
        } finally {
            Children.delete(traced);
        }
        TestTimes times = new TestTimes(Files.readAllLines(lines), tests);
        for (String failed : times.failed()) System.out.println("left out, it fails without any change: " + failed);
        for (String slow : times.slow()) System.out.println("left out, it takes longer than a trial: " + slow);
        return times;
    }

    private void trace(Path folder, byte[] bytes) throws IOException {
        String[] type = new String[1];
        byte[] traced = sites.traced(bytes, (method, number) -> {
            methods.put(method, number);
            type[0] = method.substring(0, method.indexOf('.'));
        });
        if (type[0] != null) write(folder, type[0], traced);
    }

    /** A test that ends its JVM loses only its own result: the others continue in the next JVM. */
    private void runAll(String classPath, Path lines, List<String> tests) throws IOException, InterruptedException {
        List<String> left = new ArrayList<>(tests);
        while (!left.isEmpty()) {
            Children.End end = children.runAll(classPath, lines, left, options.seconds());
            boolean any = left.removeAll(ended(lines));
            String cutOff = Files.exists(lines)
                    ? TestTimes.begun(Files.readAllLines(lines).getLast())
                    : null;
            if (cutOff != null) {
                String why = end == Children.End.SLOW ? TestTimes.SLOW : "broke";
                String line = TestTimes.line(cutOff, why) + "\n";
                Files.writeString(lines, line, StandardOpenOption.APPEND);
                any |= left.remove(cutOff);
            }
            if (!any) throw new IllegalStateException("the tests cannot be run, not even without a change: " + end);
        }
    }

    /** Returns the test classes that have ended. */
    private static Set<String> ended(Path lines) throws IOException {
        Set<String> ended = new HashSet<>();
        if (Files.exists(lines))
            for (String line : Files.readAllLines(lines))
                if (TestTimes.begun(line) == null) ended.add(line.split(" ", -1)[1]);
        return ended;
    }

    // ---- one mutant

    private interface Trial {
        MutantVerdict of(Mutant mutant) throws IOException, InterruptedException;
    }

    private void tryAll(String how, List<Mutant> left, Map<Mutant, MutantVerdict> verdicts, Trial trial)
            throws InterruptedException {
        if (left.isEmpty()) return;
        System.out.println(left.size() + " are tried " + how);
        done = 0;
        try (ExecutorService jobs = Executors.newFixedThreadPool(options.jobs())) {
            List<Future<MutantVerdict>> pending = new ArrayList<>();
            for (Mutant mutant : left)
                pending.add(jobs.submit(() -> {
                    MutantVerdict verdict = trial.of(mutant);
                    tell(verdict, left.size());
                    return verdict;
                }));
            for (Future<MutantVerdict> each : pending) verdicts.put(each.get().mutant(), each.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a trial failed: " + e.getCause(), e);
        }
    }

    /**
     * Tries a mutant in a JVM that tries many. Only a failure is a verdict there: what passes or takes too long may do
     * so because of an earlier mutant, or because the changed method has already run, for a constant of another class.
     */
    MutantVerdict triedTogether(Mutant mutant, TestTimes times) throws IOException, InterruptedException {
        List<String> tests = times.entering(entries(mutant), Math.max(1, options.seconds() / TOGETHER));
        if (tests.isEmpty() || mutant.methodName().equals("<clinit>")) return tried(mutant, times);
        Path lines = Files.createTempFile("lines", ".txt");
        long begun = System.nanoTime();
        SharedChild child = takeShared();
        try {
            byte[] original = classes.get(mutant.type());
            byte[] changed = sites.changed(original, mutant);
            Children.End end =
                    child.run(mutant.type(), changed, original, lines, tests, options.seconds(), times::limitMillis);
            long millis = (System.nanoTime() - begun) / 1_000_000;
            boolean killed = end == Children.End.FAILED;
            String by = killed ? last(lines) : end + " in " + last(lines) + why(lines);
            return new MutantVerdict(mutant, killed ? MutantVerdict.Kind.KILLED : MutantVerdict.Kind.OPEN, by, millis);
        } finally {
            giveBack(child);
            Files.delete(lines);
        }
    }

    /** Ends the JVMs of many trials. */
    @Override
    public synchronized void close() throws IOException {
        while (!shared.isEmpty()) shared.pop().close();
    }

    /** Returns why a JVM of many trials is not sure; empty if it is. */
    private static String why(Path lines) throws IOException {
        List<String> all = Files.readAllLines(lines);
        boolean unsure = !all.isEmpty() && all.getLast().startsWith(SharedRun.UNSURE);
        return unsure ? ", " + all.getLast().substring(SharedRun.UNSURE.length()) : "";
    }

    private synchronized SharedChild takeShared() throws IOException {
        return shared.isEmpty() ? new SharedChild(children, checkout::classPath) : shared.pop();
    }

    private synchronized void giveBack(SharedChild child) {
        shared.push(child);
    }

    /** Tries a mutant in a JVM of its own. */
    MutantVerdict tried(Mutant mutant, TestTimes times) throws IOException, InterruptedException {
        List<String> tests = times.entering(entries(mutant), options.seconds());
        if (tests.isEmpty()) return new MutantVerdict(mutant, MutantVerdict.Kind.NOT_ENTERED, "0 test classes", 0);
        Path folder = Files.createTempDirectory("mutant");
        Path lines = Files.createTempFile("lines", ".txt");
        long begun = System.nanoTime();
        try {
            write(folder, mutant.type(), sites.changed(classes.get(mutant.type()), mutant));
            Children.End end =
                    children.run(checkout.classPath(folder), lines, tests, options.seconds(), times::limitMillis);
            long millis = (System.nanoTime() - begun) / 1_000_000;
            return switch (end) {
                case PASSED ->
                    new MutantVerdict(mutant, MutantVerdict.Kind.SURVIVED, tests.size() + " test classes", millis);
                case TIMED_OUT, SLOW -> new MutantVerdict(mutant, MutantVerdict.Kind.TIMED_OUT, last(lines), millis);
                case FAILED -> new MutantVerdict(mutant, MutantVerdict.Kind.KILLED, last(lines), millis);
                case BROKE, UNSURE ->
                    new MutantVerdict(mutant, MutantVerdict.Kind.KILLED, "the JVM broke in " + last(lines), millis);
            };
        } finally {
            Children.delete(folder);
            Files.delete(lines);
        }
    }

    /**
     * Returns the methods whose tests try a mutant. A class initializer runs once in a JVM, so the tests that enter any
     * method of the source file stand for those that depend on it.
     */
    private BitSet entries(Mutant mutant) {
        BitSet entries = new BitSet();
        String outer = mutant.type().split("\\$", 2)[0];
        if (mutant.methodName().equals("<clinit>"))
            methods.forEach((name, number) -> {
                if (name.startsWith(outer + ".") || name.startsWith(outer + "$")) entries.set(number);
            });
        entries.set(methods.get(mutant.type() + "." + mutant.method()));
        return entries;
    }

    /** Returns the test class that ran last, with what failed in it. */
    private static String last(Path lines) throws IOException {
        List<String> all = Files.readAllLines(lines);
        all.removeIf(line -> !line.startsWith("END ") && TestTimes.begun(line) == null);
        if (all.isEmpty()) return "no test";
        String[] words = all.getLast().split(" ", -1);
        String name = words[1].substring(words[1].lastIndexOf('.') + 1);
        return words.length > 3 && !words[3].equals("-") ? name + "." + words[3] : name;
    }

    static Path write(Path folder, String type, byte[] bytes) throws IOException {
        Path file = folder.resolve(type + ".class");
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    /** Returns the verdicts of a run of these options and classes that was ended before its report. */
    Map<Mutant, MutantVerdict> resume(List<Mutant> plan) throws IOException {
        String name = options.module() + "-" + options.seed() + "-verdicts-" + checkout.fingerprint(options.toString());
        tried = checkout.results().resolve(name + ".txt");
        Map<String, Mutant> byKey = new HashMap<>();
        for (Mutant each : plan) byKey.put(MutantVerdict.key(each), each);
        Map<Mutant, MutantVerdict> verdicts = new LinkedHashMap<>();
        if (Files.exists(tried))
            for (String line : Files.readAllLines(tried))
                MutantVerdict.of(line, byKey).ifPresent(verdict -> verdicts.put(verdict.mutant(), verdict));
        return verdicts;
    }

    synchronized void tell(MutantVerdict verdict, int of) throws IOException {
        Files.writeString(tried, verdict.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.printf(
                "%4d/%d %-11s %s (%s, %.1f s)%n",
                ++done, of, verdict.kind().text, verdict.mutant(), verdict.by(), verdict.millis() / 1000.0);
    }
}
