"""A generative model of ratings: what raters share about an item, what is a rater's own, noise.

Behind each rating lies a *latent* value y. It is a sum of independent normal effects:

    y = known + group + item + item x aspect            (shared by all raters)
          + rater + rater x aspect + rater x group      (severity)
          + rater x item + residual                     (a liking for this item, and the rest)

*Known* is what can be said unread: the mean of the aspect, and as much of a control's guess as
people follow. What a rater answers depends on the kind of response (`responses`):

    points      the answer is y itself
    Yes or No   the answer is Yes where y > 0 (a probit model)
    ranks       the answer is the place of y among those of the same rater's items of the group
                (Thurstone's model)

The model is known once the variance of each effect is. Four steps lead there:

- `design` lays out who rated what, and which effects this design can tell apart;
- `variances` estimates variances from sums of squares of residuals: by moments (Haseman & Elston
  1972), and where there are few ratings by restricted maximum likelihood (Patterson & Thompson
  1971);
- `fit` applies this to points as they are; of Yes or No and of ranks it looks for the latent
  variances under which simulated studies show, on average, the same sums of squares as the data;
- `simulate` draws a new study of the same design: `ceiling` asks what a judge would reach there
  that knows all that raters share.
"""
