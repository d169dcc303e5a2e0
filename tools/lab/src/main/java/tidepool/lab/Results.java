package tidepool.lab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The measurements of a figure: series by name, each in the order of x. */
final class Results {
    /**
     * A point of a series.
     *
     * @param x its place in the figure
     * @param sample the measurement
     */
    record Point(double x, Sample sample) {}

    private final Map<String, List<Point>> series = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    void add(String name, List<Point> points) {
        List<Point> known = series.computeIfAbsent(name, _ -> new ArrayList<>());
        known.addAll(points);
        known.sort(Comparator.comparingDouble(Point::x));
    }

    /** Returns observations other than the points, in the order of the series. */
    List<String> notes() {
        return notes;
    }

    Map<String, List<Point>> series() {
        return series;
    }

    List<Point> of(String name) {
        List<Point> found = series.get(name);
        if (found == null) throw new IllegalStateException("nobody measured " + name);
        return found;
    }

    /** Returns the highest value of a series. */
    double highest(String name, ToDoubleFunction<Sample> value) {
        return of(name).stream()
                .mapToDouble(p -> value.applyAsDouble(p.sample()))
                .max()
                .orElse(0);
    }

    /** Returns the value at the last x: the highest load, the largest transaction. */
    double last(String name, ToDoubleFunction<Sample> value) {
        return value.applyAsDouble(of(name).getLast().sample());
    }

    /** Returns the mean over all x of one series divided by another. */
    double meanRatio(String upper, String lower, ToDoubleFunction<Sample> value) {
        List<Point> a = of(upper);
        List<Point> b = of(lower);
        double sum = 0;
        for (int i = 0; i < a.size(); i++)
            sum += value.applyAsDouble(a.get(i).sample())
                    / value.applyAsDouble(b.get(i).sample());
        return sum / a.size();
    }

    /** Returns the highest quotient of two series over all x. */
    double highestRatio(String upper, String lower, ToDoubleFunction<Sample> value) {
        List<Point> a = of(upper);
        List<Point> b = of(lower);
        double highest = 0;
        for (int i = 0; i < a.size(); i++)
            highest = Math.max(
                    highest,
                    value.applyAsDouble(a.get(i).sample())
                            / value.applyAsDouble(b.get(i).sample()));
        return highest;
    }

    /** Returns a line of a plot. */
    Plot.Line line(String name, ToDoubleFunction<Point> x, ToDoubleFunction<Point> y) {
        return new Plot.Line(
                name,
                of(name).stream()
                        .map(p -> new Plot.Dot(x.applyAsDouble(p), y.applyAsDouble(p)))
                        .toList());
    }
}
