package tidepool.testkit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests whose tag {@code full} or {@code night} names a higher level than that of the run. */
public final class EffortCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return evaluate(context.getTags(), Effort.current());
    }

    static ConditionEvaluationResult evaluate(java.util.Set<String> tags, Effort current) {
        for (Effort effort : Effort.values())
            if (effort.compareTo(current) > 0 && tags.contains(effort.tag()))
                return ConditionEvaluationResult.disabled("runs with -Dtidepool.effort=" + effort.tag());
        return ConditionEvaluationResult.enabled("within the effort of this run");
    }
}
