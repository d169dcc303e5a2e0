package tidepool.mutants;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The result of a run, as a readable table or as JSON. */
final class Report {
    private final Options options;
    private final List<MutantVerdict> verdicts;

    Report(Options options, List<MutantVerdict> verdicts) {
        this.options = options;
        this.verdicts = verdicts.stream()
                .sorted(Comparator.comparing(
                                (MutantVerdict each) -> each.mutant().type())
                        .thenComparingInt(each -> each.mutant().line()))
                .toList();
    }

    String text() {
        StringBuilder text = new StringBuilder(options + "\n");
        Map<MutantVerdict.Kind, Integer> counts = new EnumMap<>(MutantVerdict.Kind.class);
        for (MutantVerdict each : verdicts) counts.merge(each.kind(), 1, Integer::sum);
        text.append(verdicts.size()).append(" mutants");
        counts.forEach(
                (kind, count) -> text.append(", ").append(count).append(" ").append(kind.text));
        text.append("\n");
        for (MutantVerdict each : verdicts)
            if (each.survived())
                text.append(String.format("%-12s %s (%s)%n", each.kind().text, each.mutant(), each.by()));
        return text.toString();
    }

    String json() {
        StringBuilder json = new StringBuilder("{\"options\":" + quoted(options.toString()) + ",\"mutants\":[");
        String comma = "\n";
        for (MutantVerdict each : verdicts) {
            Mutant mutant = each.mutant();
            json.append(comma)
                    .append("{\"verdict\":")
                    .append(quoted(each.kind().text))
                    .append(",\"place\":")
                    .append(quoted(mutant.place()))
                    .append(",\"method\":")
                    .append(quoted(mutant.method()))
                    .append(",\"instruction\":")
                    .append(mutant.instruction())
                    .append(",\"mutation\":")
                    .append(quoted(mutant.what()))
                    .append(",\"by\":")
                    .append(quoted(each.by()))
                    .append(",\"millis\":")
                    .append(each.millis())
                    .append("}");
            comma = ",\n";
        }
        return json.append("\n]}\n").toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
