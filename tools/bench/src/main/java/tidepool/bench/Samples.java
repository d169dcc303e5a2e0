package tidepool.bench;

import java.util.Arrays;

/** A few measurements of one quantity. The median is reported, so one disturbed sample changes nothing. */
final class Samples {
    private final double[] values;
    private int count;

    Samples(int max) {
        values = new double[max];
    }

    void add(double value) {
        values[count++] = value;
    }

    double median() {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    }

    /** Returns half the distance between the quarters, relative to the median: a measure of its reliability. */
    double spread() {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return (sorted[count * 3 / 4] - sorted[count / 4]) / 2 / median();
    }
}
