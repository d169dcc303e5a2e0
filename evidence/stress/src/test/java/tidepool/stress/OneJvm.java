package tidepool.stress;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs jcstress tests one after the other in this JVM, as a fork of jcstress runs a single one. The main program of
 * jcstress first probes the machine with some thirty JVMs and then starts one for each test: right for a campaign, too
 * slow for each build.
 *
 * <pre>
 *   OneJvm MILLIS ATTEMPTS REGEXP      each test up to ATTEMPTS times for MILLIS, until a forbidden outcome is seen
 * </pre>
 *
 * Prints a line per test. Exits with 0 if all is well, 1 for a forbidden outcome, 2 for a test that did not run.
 */
final class OneJvm {
    private OneJvm() {}

    public static void main(String[] args) throws Exception {
        int attempts = Integer.parseInt(args[1]);
        Pattern wanted = Pattern.compile(args[2]);
        int worst = 0;
        int run = 0;
        for (String name : TestList.tests()) {
            if (!wanted.matcher(name).find()) continue;
            run++;
            worst = Math.max(worst, run(TestList.getInfo(name), args[0], attempts));
        }
        System.out.println("tests=" + run + " seconds="
                + ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        System.exit(run == 0 ? 2 : worst);
    }

    private static int run(TestInfo info, String millis, int attempts) throws Exception {
        int worst = 0;
        for (int i = 0; i < attempts && worst == 0; i++) {
            TestResult result = once(info, millis);
            worst = report(info, result, TestGrading.grade(result));
        }
        return worst;
    }

    private static TestResult once(TestInfo info, String millis) throws Exception {
        TestConfig config = new TestConfig(
                options(millis),
                info,
                0,
                List.of(),
                CompileMode.UNIFIED,
                new SchedulingClass(AffinityMode.NONE, info.threads(), NodeType.PACKAGE));
        Runner<?> runner = (Runner<?>) Class.forName(info.generatedRunner())
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        return result;
    }

    /**
     * Short strides, and yielding while waiting for the next: the processors are few and shared with other programs.
     */
    private static Options options(String millis) throws Exception {
        Options options = new Options(new String[] {
            "-time",
            millis,
            "-iters",
            "1",
            "-f",
            "1",
            "-strideSize",
            "32",
            "-strideCount",
            "8",
            "-spinStyle",
            "THREAD_YIELD"
        });
        if (!options.parse()) throw new IllegalStateException("jcstress did not understand its options");
        return options;
    }

    private static int report(TestInfo info, TestResult result, TestGrading grading) {
        List<String> outcomes = new ArrayList<>();
        boolean forbidden = false;
        for (GradingResult outcome : grading.gradingResults.values()) {
            if (outcome.count == 0) continue;
            forbidden |= outcome.expect == Expect.FORBIDDEN;
            String mark = outcome.expect == Expect.FORBIDDEN ? "FORBIDDEN " : "";
            outcomes.add(mark + "[" + outcome.id + "]=" + outcome.count);
        }
        boolean ran = result.getTotalCount() > 0 && grading.failureMessages.isEmpty() || forbidden;
        String verdict = forbidden ? "FAILED" : ran ? "ok" : "DID NOT RUN";
        String name = info.name().replace("tidepool.stress.", "");
        System.out.printf(
                Locale.ROOT,
                "%-6s %-42s samples=%-9d %s%n",
                verdict,
                name,
                result.getTotalCount(),
                String.join(" ", outcomes));
        if (!ran) result.getMessages().forEach(System.out::println);
        return forbidden ? 1 : ran ? 0 : 2;
    }
}
