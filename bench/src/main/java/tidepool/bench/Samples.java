package tidepool.bench;

import java.util.Arrays;

/** A handful of measurements of one thing. The median is reported: one disturbed sample changes nothing. */
final class Samples {
    private final double[] values;
    private int count;

    Samples(int most) {
        values = new double[most];
    }

    void add(double value) {
        values[count++] = value;
    }

    double median() {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    }

    /** Half the distance between the quarters, relative to the median: how much to trust it. */
    double spread() {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return (sorted[count * 3 / 4] - sorted[count / 4]) / 2 / median();
    }
}
