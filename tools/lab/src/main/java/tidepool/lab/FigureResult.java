package tidepool.lab;

import java.util.List;

/**
 * The result of a figure.
 *
 * @param figure its name
 * @param title its title
 * @param comparisons the paper's numbers and ours
 * @param plots its pictures
 * @param results all measurements
 * @param notes remarks for readers
 */
public record FigureResult(
        String figure,
        String title,
        List<PaperComparison> comparisons,
        List<Plot> plots,
        Results results,
        List<String> notes) {}
